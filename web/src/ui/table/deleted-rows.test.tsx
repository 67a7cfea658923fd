// What was deleted keeps its place for a while and can be taken back there.

import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { KeptPlace, useDeletedRows } from './deleted-rows.tsx'

const thing = (id: number) => ({ id, name: `Thing ${id}` })
const all = [thing(1), thing(2), thing(3), thing(4)]

interface ListProps {
  readonly rows: readonly { readonly id: number; readonly name: string }[]
  readonly scope?: string
  readonly restore?: () => Promise<boolean>
}

/** A list whose rows are deleted by their buttons; the server has done it at once. */
function List({ rows, scope = '', restore }: ListProps) {
  const deleted = useDeletedRows(rows, { headingId: 'heading', scope })
  return (
    <>
      <h2 id="heading" tabIndex={-1}>
        Things
      </h2>
      <ul>
        {deleted.rows.map((row) => (
          <li key={row.id}>
            <KeptPlace line={deleted.lineOf(row)}>
              <button
                type="button"
                onClick={() => deleted.begin(row, row.name) && deleted.settle(row, restore)}
              >
                Delete {row.name}
              </button>
            </KeptPlace>
          </li>
        ))}
      </ul>
    </>
  )
}

const without = (...gone: number[]) => all.filter(({ id }) => !gone.includes(id))
const remove = (id: number) =>
  fireEvent.click(screen.getByRole('button', { name: `Delete Thing ${id}` }))
const undo = (id: number) =>
  screen.queryByRole('button', { name: `Undo the deletion of Thing ${id}` })
/** The numbers of the things in their order; a line in place of one is negative. */
const shown = () =>
  screen.getAllByRole('listitem').map((item) => {
    const id = Number(/Thing (\d)/.exec(item.textContent ?? '')?.[1])
    return item.textContent?.includes('Deleted') ? -id : id
  })

beforeEach(() => {
  vi.useFakeTimers()
})
describe('a deleted row', () => {
  it('keeps its place for ten seconds, each its own, whatever the list says', () => {
    const { rerender } = render(<List rows={all} restore={async () => true} />)
    remove(2)
    rerender(<List rows={without(2)} restore={async () => true} />)
    expect(shown()).toEqual([1, -2, 3, 4])
    act(() => vi.advanceTimersByTime(4_000))
    remove(1)
    remove(3)
    rerender(<List rows={without(1, 2, 3)} restore={async () => true} />)
    expect(shown()).toEqual([-1, -2, -3, 4])
    act(() => vi.advanceTimersByTime(5_999))
    expect(shown()).toEqual([-1, -2, -3, 4])
    act(() => vi.advanceTimersByTime(1))
    expect(shown()).toEqual([-1, -3, 4])
    act(() => vi.advanceTimersByTime(4_000))
    expect(shown()).toEqual([4])
  })

  it('has nothing to press but its own Undo, which takes back that one, once', async () => {
    const restore = vi.fn(async () => true)
    const { rerender } = render(<List rows={all} restore={restore} />)
    remove(2)
    remove(3)
    rerender(<List rows={without(2, 3)} restore={restore} />)
    expect(screen.queryByRole('button', { name: 'Delete Thing 2' })).toBeNull()
    const button = undo(3)
    await act(async () => {
      button?.click()
      button?.click()
    })
    expect(restore).toHaveBeenCalledOnce()
    // It stays where it was until the list has it again.
    expect(shown()).toEqual([1, -2, 3, 4])
    expect(undo(2)).not.toBeNull()
  })

  it('can be taken back again where that failed', async () => {
    const restore = vi.fn(async () => false)
    render(<List rows={all} restore={restore} />)
    remove(2)
    for (const _ of [1, 2]) await act(async () => undo(2)?.click())
    expect(restore).toHaveBeenCalledTimes(2)
    expect(shown()).toEqual([1, -2, 3, 4])
  })

  it('says so without Undo where there is none, and only in the list it was in', () => {
    const { rerender } = render(<List rows={all} />)
    remove(2)
    expect(screen.getByText('Deleted Thing 2.')).toBeTruthy()
    expect(undo(2)).toBeNull()
    rerender(<List rows={without(2)} scope="another page" />)
    expect(shown()).toEqual([1, 3, 4])
  })

  it('takes the focus with it, and gives it to the heading when it goes', () => {
    const { rerender } = render(<List rows={all} />)
    screen.getByRole('button', { name: 'Delete Thing 2' }).focus()
    remove(2)
    expect(document.activeElement?.textContent).toBe('Deleted Thing 2.')
    rerender(<List rows={without(2)} />)
    act(() => vi.advanceTimersByTime(10_000))
    expect(document.activeElement?.textContent).toBe('Things')
  })
})
