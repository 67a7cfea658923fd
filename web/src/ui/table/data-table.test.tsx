// The table of the panel: its address, its keys, its calm, and its file.

import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { holdWaits } from '../../../test/held-waits.ts'
import { renderPart } from '../../../test/render.tsx'
import { changedTopics } from '../../lib/changed-topics.ts'
import type { DataColumn } from './columns.tsx'
import { csvText } from './csv.ts'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { TableSearch } from './table-search.tsx'
import { addressOf, type TableView, viewOf } from './table-view.ts'

interface Animal {
  readonly id: number
  readonly name: string
  readonly legs: number
}

const animals: readonly Animal[] = [
  { id: 1, name: 'Spider', legs: 8 },
  { id: 2, name: 'Ant', legs: 6 },
  { id: 3, name: 'Cat', legs: 4 },
]

const columns: readonly DataColumn<Animal>[] = [
  {
    id: 'name',
    header: 'Name',
    isSortable: true,
    value: (animal) => animal.name,
    cell: (animal) => animal.name,
  },
  {
    id: 'legs',
    header: 'Legs',
    isSortable: true,
    isNumber: true,
    value: (animal) => animal.legs,
    cell: (animal) => animal.legs,
  },
  {
    id: 'act',
    header: 'Actions',
    cell: ({ name }) => name !== 'Ant' && <button type="button">Feed</button>,
  },
]

const firstView: TableView = { search: '', sort: '', page: 1, filters: {}, filtersSet: 0 }

function Zoo(props: Partial<DataTableProps<Animal>>) {
  const [view, setView] = useState(firstView)
  return (
    <DataTable
      label="Animals"
      columns={columns}
      rows={animals}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      view={view}
      onViewChange={(change) => setView((before) => ({ ...before, page: 1, ...change }))}
      paging={{ by: 'browser', pageSize: 50 }}
      errorTitle="Error loading animals"
      onRetry={() => undefined}
      empty={<p>No animals</p>}
      search={{ label: 'Search animals', placeholder: 'Name' }}
      {...props}
    />
  )
}

const shownNames = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)

beforeEach(() => {
  vi.stubGlobal('PointerEvent', MouseEvent)
})

describe('the address of a list', () => {
  const defaults = { sort: 'name', filters: { status: 'pending' } }

  it('holds what is searched, filtered, sorted and paged', () => {
    const view = viewOf({ q: 42, sort: '-legs', page: 3, status: 'all' }, defaults)
    expect(view).toEqual({
      search: '42',
      sort: '-legs',
      page: 3,
      filters: { status: 'all' },
      filtersSet: 1,
    })
    expect(addressOf(view, defaults)).toEqual({ q: '42', sort: '-legs', page: 3, status: 'all' })
  })

  it('says nothing that goes without saying, and bad words are the defaults', () => {
    const view = viewOf({ page: 'x', status: ['a'] }, defaults)
    expect(view).toEqual({
      search: '',
      sort: 'name',
      page: 1,
      filters: { status: 'pending' },
      filtersSet: 0,
    })
    const address = addressOf(view, defaults)
    expect(Object.values(address).every((word) => word === undefined)).toBe(true)
  })
})

describe('sorting', () => {
  it('goes by headers, numbers from the highest', async () => {
    const { user } = await renderPart(<Zoo />)
    expect(shownNames()).toEqual(['Spider', 'Ant', 'Cat'])
    const name = screen.getByRole('columnheader', { name: 'Name' })
    expect(name.getAttribute('aria-sort')).toBe('none')
    await user.click(within(name).getByRole('button'))
    expect(name.getAttribute('aria-sort')).toBe('ascending')
    expect(shownNames()).toEqual(['Ant', 'Cat', 'Spider'])
    await user.click(within(name).getByRole('button'))
    expect(name.getAttribute('aria-sort')).toBe('descending')
    await user.click(screen.getByRole('button', { name: 'Legs' }))
    expect(shownNames()).toEqual(['Spider', 'Ant', 'Cat'])
    await user.click(screen.getByRole('button', { name: 'Legs' }))
    expect(shownNames()).toEqual(['Cat', 'Ant', 'Spider'])
    const act = screen.getByRole('columnheader', { name: 'Actions' })
    expect(within(act).queryByRole('button')).toBeNull()
    expect(act.hasAttribute('aria-sort')).toBe(false)
  })
})

describe('searching and paging in the browser', () => {
  it('finds by every column with a value', async () => {
    const { user } = await renderPart(<Zoo />)
    await user.type(screen.getByLabelText('Search animals'), 'ca')
    await waitFor(() => expect(shownNames()).toEqual(['Cat']))
    expect(screen.getAllByText('Showing 1 of 1')).toBeTruthy()
    await user.clear(screen.getByLabelText('Search animals'))
    await user.type(screen.getByLabelText('Search animals'), 'feed')
    expect(await screen.findByText('No animals')).toBeTruthy()
  })

  it('leaves what is typed alone, and follows what else changes the search', async () => {
    const onChange = vi.fn()
    const box = (value: string) => (
      <TableSearch placeholder="Name" label="Search" value={value} onChange={onChange} />
    )
    const user = userEvent.setup()
    const { rerender } = render(box(''))
    const field = screen.getByLabelText<HTMLInputElement>('Search')
    await user.type(field, 'Luna ')
    await waitFor(() => expect(onChange).toHaveBeenCalledWith('Luna'))
    await user.type(field, 'F')
    rerender(box('Luna'))
    await user.type(field, 'ox')
    expect(field.value).toBe('Luna Fox')
    rerender(box('Cat'))
    expect(field.value).toBe('Cat')
  })

  it('cuts pages', async () => {
    const { user } = await renderPart(<Zoo paging={{ by: 'browser', pageSize: 2 }} />)
    expect(shownNames()).toEqual(['Spider', 'Ant'])
    expect(screen.getByText('Showing 2 of 3')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(shownNames()).toEqual(['Cat'])
  })

  it('goes from a page that has lost its last row to the one before, once that is known', async () => {
    const zoo = (props: Partial<DataTableProps<Animal>>) => (
      <Zoo view={{ ...firstView, page: 2 }} rows={[]} onViewChange={onViewChange} {...props} />
    )
    const onViewChange = vi.fn()
    const paging = { by: 'server', total: 1, totalPages: 1 } as const
    const { unmount } = await renderPart(zoo({ paging, isStale: true }))
    expect(onViewChange).not.toHaveBeenCalled()
    unmount()
    await renderPart(zoo({ paging }))
    expect(onViewChange.mock.calls).toEqual([[{ page: 1 }, true]])
  })
})

describe('keys', () => {
  it('walk the rows, tick them and open them', async () => {
    const onOpen = vi.fn()
    const bulk = (rows: readonly Animal[]) => <p>{rows.map(({ name }) => name).join('+')}</p>
    const { user } = await renderPart(<Zoo onOpen={onOpen} bulk={bulk} />)
    const rows = screen.getAllByRole('row').slice(1)
    expect(rows.map((row) => row.tabIndex)).toEqual([0, -1, -1])
    rows[0]?.focus()
    await user.keyboard('{ArrowDown} ')
    expect(document.activeElement).toBe(rows[1])
    expect(screen.getByText('Ant', { selector: 'p' })).toBeTruthy()
    await user.keyboard('{ArrowDown}{ArrowDown}x')
    expect(document.activeElement).toBe(rows[2])
    expect(screen.getByText('Ant+Cat')).toBeTruthy()
    expect(screen.getByText('2 selected')).toBeTruthy()
    await user.keyboard('{Enter}')
    expect(onOpen).toHaveBeenCalledWith(animals[2])
    await user.keyboard('{Escape}')
    expect(screen.queryByText('2 selected')).toBeNull()
  })

  it('are not needed: a press on a row opens it, one on a control within does not', async () => {
    const onOpen = vi.fn()
    const { user } = await renderPart(<Zoo onOpen={onOpen} bulk={() => null} />)
    await user.click(screen.getByLabelText('Select Spider'))
    await user.click(screen.getAllByRole('button', { name: 'Feed' })[1]!)
    expect(onOpen).not.toHaveBeenCalled()
    await user.click(screen.getByText('Ant'))
    expect(onOpen).toHaveBeenCalledWith(animals[1])
  })

  it('belong to the controls within a row first', async () => {
    const onOpen = vi.fn()
    const { user } = await renderPart(<Zoo onOpen={onOpen} />)
    screen.getAllByRole('button', { name: 'Feed' })[0]?.focus()
    await user.keyboard('{Enter}{ArrowDown}')
    expect(onOpen).not.toHaveBeenCalled()
  })
})

it('how many there are is said after an own search, not with every poll', async () => {
  const { user } = await renderPart(<LiveZoo />)
  const count = screen.getByText('Showing 3 of 3')
  fireEvent.click(screen.getByRole('button', { name: 'Poll' }))
  expect(count.textContent).toBe('Showing 4 of 4')
  expect(count.closest('[aria-live], [role=status]')).toBeNull()
  await user.type(screen.getByLabelText('Search animals'), 'spi')
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Showing 1 of 1'))
})

describe('ticked rows', () => {
  it('survive paging and say where they are', async () => {
    const { user } = await renderPart(
      <Zoo
        paging={{ by: 'browser', pageSize: 2 }}
        bulk={() => <button type="button">Go</button>}
      />,
    )
    await user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    expect(screen.getByText('2 selected')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(screen.getByText('2 selected (2 not on this page)')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Clear selection' }))
    expect(screen.queryByRole('button', { name: 'Go' })).toBeNull()
  })

  it.each([
    ['search', { search: 'a' }],
    ['filter', { filters: { kind: 'insect' } }],
  ])('survive another page and order, and not another %s', async (_, found) => {
    const zoo = (view: Partial<TableView>, isStale = false) => (
      <Zoo bulk={() => null} view={{ ...firstView, ...view }} isStale={isStale} />
    )
    const user = userEvent.setup()
    const { rerender } = render(zoo({}))
    await user.click(screen.getByLabelText('Select Cat'))
    rerender(zoo({ page: 2, sort: 'legs' }))
    // Until the answer is there, the rows are those that were ticked.
    rerender(zoo(found, true))
    expect(screen.getByText(/^1 selected/)).toBeTruthy()
    rerender(zoo(found))
    expect(screen.queryByText(/selected/)).toBeNull()
    rerender(zoo({}))
    expect(screen.queryByText(/selected/)).toBeNull()
  })
})

describe('calm', () => {
  it('holds the order under the pointer, and shows the newest once it has left', async () => {
    await renderPart(<LiveZoo />)
    fireEvent.pointerEnter(screen.getByRole('table'))
    fireEvent.pointerOver(screen.getByRole('table'))
    fireEvent.click(screen.getByRole('button', { name: 'Poll' }))
    expect(shownNames()).toEqual(['Spider', 'Ant', 'Cat'])
    fireEvent.pointerOut(screen.getByRole('table'))
    expect(shownNames()).toEqual(namesPolled)
  })

  it('holds the order while the focus is in the table, with the newest content', async () => {
    const { user } = await renderPart(<LiveZoo />)
    act(() => screen.getAllByRole('row')[1]?.focus())
    expect(screen.queryByRole('button', { name: /^Updated/ })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Poll' }))
    expect(shownNames()).toEqual(['Spider', 'Ant', 'Cat'])
    // What stays in its place has its newest content.
    expect(screen.getByRole('row', { name: /^Cat 3/ })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Updated: show 5 changes' }))
    expect(shownNames()).toEqual(namesPolled)
    expect(document.activeElement?.textContent).toContain('Spider')
  })

  it('shows what an action of the own has changed, though it arrives after the action', async () => {
    await renderPart(<LiveZoo />)
    fireEvent.pointerEnter(screen.getByRole('table'))
    fireEvent.pointerOver(screen.getByRole('table'))
    fireEvent.click(screen.getByRole('button', { name: 'Act' }))
    expect(shownNames()).toEqual(['Spider', 'Ant', 'Cat'])
    fireEvent.click(screen.getByRole('button', { name: 'Poll' }))
    expect(shownNames()).toEqual(namesPolled)
  })
})

/** One has gone and two have come, two have changed places, and one has lost a leg. */
const polled: readonly Animal[] = [
  { id: 3, name: 'Cat', legs: 3 },
  { id: 1, name: 'Spider', legs: 8 },
  { id: 4, name: 'Dog', legs: 4 },
  { id: 5, name: 'Fly', legs: 6 },
]
const namesPolled = polled.map(({ name }) => name)

function LiveZoo() {
  const [rows, setRows] = useState(animals)
  return (
    <>
      <button type="button" onClick={() => changedTopics.announce(['users'], 'call')}>
        Act
      </button>
      <button type="button" onClick={() => setRows(polled)}>
        Poll
      </button>
      <Zoo rows={rows} />
    </>
  )
}

describe('the choice of columns', () => {
  it('is kept in this browser', async () => {
    const { user, unmount } = await renderPart(<Zoo />)
    await user.click(screen.getByRole('button', { name: 'Columns' }))
    expect(screen.queryByRole('checkbox', { name: 'Name' })).toBeNull()
    await user.click(screen.getByRole('checkbox', { name: 'Legs' }))
    expect(screen.queryByRole('columnheader', { name: 'Legs' })).toBeNull()
    unmount()
    await renderPart(<Zoo />)
    expect(screen.queryByRole('columnheader', { name: 'Legs' })).toBeNull()
  })
})

describe('the exported file', () => {
  it('has what has a value, and runs nothing in a spreadsheet', () => {
    expect(csvText(columns, animals.slice(0, 1))).toBe('Name,Legs\r\nSpider,8\r\n')
    const [spider] = animals
    const named = (name: string) => csvText(columns, [{ ...spider!, name }]).split('\r\n')[1]
    expect(named('=1+1')).toBe("'=1+1,8")
    expect(named('\0=1+1')).toBe("'\0=1+1,8")
  })

  it('comes from the server where the browser has only a page', async () => {
    await renderPart(<Zoo csv="/api/zoo.csv" />)
    const link = screen.getByRole('link', { name: 'Export CSV' })
    expect(link.getAttribute('href')).toBe('/api/zoo.csv')
  })
})

describe('waiting and failing', () => {
  it('shows shapes first, and says when they stand there for long', async () => {
    const endWait = holdWaits('Timeout', 3000)
    await renderPart(<Zoo rows={undefined} />)
    expect(screen.getByText('Loading animals')).toBeTruthy()
    await endWait()
    expect(screen.getByText(/^Still loading animals/)).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('offers another try, and keeps the rows it has when a later one fails', async () => {
    const onRetry = vi.fn()
    const { user, unmount } = await renderPart(
      <Zoo rows={undefined} error={new Error('down')} onRetry={onRetry} />,
    )
    expect(screen.getByText('Error loading animals')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(onRetry).toHaveBeenCalledOnce()
    unmount()
    await renderPart(<Zoo error={new Error('down')} />)
    expect(shownNames()).toHaveLength(3)
  })
})

describe('on a narrow screen', () => {
  it('shows labelled cards that can be sorted', async () => {
    vi.stubGlobal('matchMedia', (media: string) => ({
      media,
      matches: media.includes('45rem'),
      addEventListener() {},
      removeEventListener() {},
    }))
    const { user } = await renderPart(<Zoo />)
    expect(screen.queryByRole('table')).toBeNull()
    const list = screen.getByRole('list', { name: 'Animals' })
    const first = within(list).getAllByRole('listitem')[0] as HTMLElement
    expect(within(first).getByText('Legs').nextElementSibling?.textContent).toBe('8')
    expect(screen.queryByLabelText('Sort by')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Filters' }))
    await user.selectOptions(screen.getByLabelText('Sort by'), 'Name, ascending')
    const ant = within(list).getAllByRole('listitem')[0] as HTMLElement
    expect(ant.textContent).toContain('Ant')
    // A name for nothing is left out.
    expect(within(ant).queryByText('Actions')).toBeNull()
    expect(within(list).getAllByText('Actions')).toHaveLength(2)
  })
})
