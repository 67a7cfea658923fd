// Dialogs: their labels, and where the focus goes.

import { authContract } from '@redpack/contract'
import { useRouter } from '@tanstack/react-router'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { fetchPanels, renderPart } from '../../../test/render.tsx'
import { useSearchValue } from '../../lib/search-value.ts'
import { toast, toastStore } from '../feedback/toast.ts'
import { ConfirmDialog, Dialog } from './dialog.tsx'
import { FormDialog } from './form-dialog.tsx'

beforeAll(fetchPanels)

interface PageProps {
  readonly isOpenerKept?: boolean
  /** The opener goes a moment after the dialog, as a row does when its list is asked again. */
  readonly isLate?: boolean
}

function Page({ isOpenerKept = true, isLate = false }: PageProps) {
  const [isOpen, setOpen] = useState(false)
  const [isGone, setGone] = useState(false)
  return (
    <main>
      <h1>Prizes</h1>
      <ul>
        {!isGone && (
          <li>
            <button type="button" onClick={() => setOpen(true)}>
              Open first
            </button>
          </li>
        )}
        <li>
          <button type="button">Second</button>
        </li>
      </ul>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title="Edit prize" description="All of it">
        <button
          type="button"
          onClick={() => {
            if (!isOpenerKept && !isLate) setGone(true)
            if (isLate) window.setTimeout(() => setGone(true), 50)
            setOpen(false)
          }}
        >
          Done
        </button>
      </Dialog>
    </main>
  )
}

describe('a dialog', () => {
  it('is named by its title and described by its description', async () => {
    render(<Page />)
    await userEvent.click(screen.getByRole('button', { name: 'Open first' }))
    const dialog = screen.getByRole('dialog', { name: 'Edit prize' })
    expect(dialog).toHaveProperty('id')
    expect(document.getElementById(dialog.getAttribute('aria-describedby')!)?.textContent).toBe(
      'All of it',
    )
    expect(dialog.contains(document.activeElement)).toBe(true)
  })

  it('gives the focus back to what opened it', async () => {
    render(<Page />)
    const opener = screen.getByRole('button', { name: 'Open first' })
    await userEvent.click(opener)
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(opener))
  })

  it.each([
    ['is gone', false],
    ['goes a moment later', true],
  ])('gives the focus to the neighbour when the opener %s', async (_, isLate) => {
    render(<Page isOpenerKept={false} isLate={isLate} />)
    const opener = screen.getByRole('button', { name: 'Open first' })
    await userEvent.click(opener)
    await userEvent.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(opener.isConnected).toBe(false))
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Second' })),
    )
  })

  it('keeps the page behind from scrolling, and injects no style element', async () => {
    render(<Page />)
    const styles = document.querySelectorAll('style').length
    await userEvent.click(screen.getByRole('button', { name: 'Open first' }))
    expect(document.documentElement.style.overflow).toBe('hidden')
    expect(document.querySelectorAll('style')).toHaveLength(styles)
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(document.documentElement.style.overflow).toBe(''))
  })
})

it('a dialog that has nothing yet but its cross is not closed by what is typed early', async () => {
  const onOpenChange = vi.fn()
  render(
    <Dialog onOpenChange={onOpenChange} title="Delivery details">
      <p role="status">Loading</p>
    </Dialog>,
  )
  const panel = screen.getByRole('dialog')
  await waitFor(() => expect(document.activeElement).toBe(panel))
  await userEvent.keyboard('Ana Costa{Enter}')
  expect(onOpenChange).not.toHaveBeenCalled()
  await userEvent.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' }))
})

describe('a confirmation', () => {
  it('asks, and acts only on the verb', async () => {
    const onConfirm = vi.fn()
    const onOpenChange = vi.fn()
    render(
      <ConfirmDialog
        isOpen
        onOpenChange={onOpenChange}
        title="Delete prize"
        description="Hoodie will be gone."
        confirmLabel="Delete"
        onConfirm={onConfirm}
      />,
    )
    const question = screen.getByRole('alertdialog', { name: 'Delete prize' })
    expect(question.getAttribute('aria-modal')).toBe('true')
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onConfirm).not.toHaveBeenCalled()
    expect(onOpenChange).toHaveBeenCalledWith(false)
    // The second half of a double click on what has opened it.
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }), { detail: 2 })
    expect(onConfirm).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
    expect(onConfirm).toHaveBeenCalledOnce()
  })
})

function FormBeside() {
  const [isOpen, setOpen] = useState(true)
  const [, setPlace] = useSearchValue('place', 'push')
  const close = () => setOpen(false)
  const shared = { title: 'Add server', submitLabel: 'Add', isPending: false, children: null }
  return (
    <>
      <button type="button" onClick={() => setPlace('2')}>
        Step
      </button>
      {isOpen && <FormDialog {...shared} isUnsaved onClose={close} onSubmit={close} />}
    </>
  )
}

it('a form that does not stand in the address goes with what is discarded', async () => {
  const { user } = await renderPart(<FormBeside />)
  fireEvent.click(await screen.findByText('Step'))
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('a form that is being saved stays, and asks nothing', async () => {
  const onClose = vi.fn()
  const shared = { title: 'Add server', submitLabel: 'Add', children: null, onSubmit: onClose }
  const { user } = await renderPart(
    <FormDialog {...shared} isUnsaved isPending onClose={onClose} />,
  )
  await user.click(await screen.findByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(onClose).not.toHaveBeenCalled()
})

it.each([
  ['a dialog', Dialog],
  ['a question', ConfirmDialog],
])('Escape closes %s with the focus, not the message that came after it', async (_, Box) => {
  const words = { title: 'Edit', description: '', confirmLabel: 'Do', onConfirm: () => {} }
  const onOpenChange = vi.fn()
  const { user } = await renderPart(
    <Box {...words} onOpenChange={onOpenChange}>
      <input aria-label="Name" />
    </Box>,
  )
  await user.click(await screen.findByLabelText('Name'))
  act(() => toast({ title: 'Later' }))
  await user.keyboard('{Escape}')
  expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(false)
  expect(toastStore.get().toasts[0]?.isOpen).toBe(true)
})

function BlockedBy({ block }: { readonly block: () => () => void }) {
  Object.assign(useRouter().history, { block })
  return <FormBeside />
}

it('a form with something unsaved asks before a reload, unless the session has ended', async () => {
  const block = vi.fn<(blocker?: { enableBeforeUnload: () => boolean }) => () => void>()
  block.mockReturnValue(() => {})
  const { queryClient } = await renderPart(<BlockedBy block={block} />)
  await screen.findByRole('dialog')
  const asks = () => block.mock.lastCall?.[0]?.enableBeforeUnload()
  expect(asks()).toBe(true)
  queryClient.setQueryData([authContract.me.path], null)
  expect(asks()).toBe(false)
})

function Form() {
  const [record, setRecord] = useSearchValue('record', 'push')
  const close = () => setRecord('')
  const shared = { title: 'Edit prize', submitLabel: 'Save', isPending: false, children: null }
  return (
    <>
      <button type="button" onClick={() => setRecord(record === '' ? '1' : '2')}>
        Step
      </button>
      {record === '1' && <FormDialog {...shared} isUnsaved onClose={close} onSubmit={close} />}
    </>
  )
}

it('a form that stands in the address asks before another step loses what was entered', async () => {
  const { user } = await renderPart(<Form />)
  const step = () => fireEvent.click(screen.getByText('Step'))
  step()
  const dialog = await screen.findByRole('dialog')
  // A field that is scrolled to stands below its label and above the buttons.
  expect([...dialog.classList]).toEqual(expect.arrayContaining(['scroll-pt-24', 'scroll-pb-64']))
  step()
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(screen.getByRole('dialog')).toBeTruthy()
  step()
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
