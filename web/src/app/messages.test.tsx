// Messages reach their reader also where the code that shows them cannot be had.

import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { toast, toastStore } from '../ui/feedback/toast.ts'
import { lazyComponent } from '../ui/overlay/lazy-component.tsx'
import { Messages } from './app.tsx'

const Shown = () => <p>Shown by the toaster: {toastStore.get().toasts[0]?.title}</p>

const Failing = () => {
  if (toastStore.get().toasts[0]?.isOpen) throw new Error('No frame')
  return null
}

/** A toaster whose code cannot be had the first so many times. */
function toasterAfter(failures: number) {
  let asked = 0
  const load = vi.fn(async () => {
    asked += 1
    if (asked <= failures) throw new TypeError('Failed to fetch dynamically imported module')
    return { Shown }
  })
  return { load, toaster: lazyComponent(load, 'Shown') }
}

it('come with the first press, which nothing on the page can keep to itself', async () => {
  const { load, toaster } = toasterAfter(0)
  render(
    <div onKeyDownCapture={(event) => event.stopPropagation()}>
      <input aria-label="Deaf" />
      <Messages toaster={toaster} />
    </div>,
  )
  expect(load).not.toHaveBeenCalled()
  fireEvent.keyDown(screen.getByLabelText('Deaf'), { key: 'a' })
  expect(await screen.findByText(/Shown by the toaster/)).toBeTruthy()
  fireEvent.keyDown(screen.getByLabelText('Deaf'), { key: 'b' })
  expect(load).toHaveBeenCalledOnce()
})

it('are asked for with each press until they are there', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const { load, toaster } = toasterAfter(1)
  render(<Messages toaster={toaster} />)
  fireEvent.pointerDown(document.body)
  await waitFor(() => expect(warn).toHaveBeenCalledOnce())
  fireEvent.pointerDown(document.body)
  expect(await screen.findByText(/Shown by the toaster/)).toBeTruthy()
  expect(load).toHaveBeenCalledTimes(2)
})

it('are said in plain text while they cannot be had, and asked for with each message', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const { toaster } = toasterAfter(1)
  const undo = vi.fn()
  render(
    <>
      <h1>The page</h1>
      <Messages toaster={toaster} />
    </>,
  )
  act(() => {
    toast({ title: 'Saved', description: 'All of it', action: { label: 'Undo', onSelect: undo } })
  })
  expect((await screen.findByRole('alert')).textContent).toBe('SavedAll of it')
  expect(warn).toHaveBeenCalledOnce()
  expect(screen.getByRole('heading', { name: 'The page' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(undo).toHaveBeenCalledOnce()
  expect(screen.queryByRole('alert')).toBeNull()
  act(() => {
    toast({ title: 'Saved again' })
  })
  expect(await screen.findByText('Shown by the toaster: Saved again')).toBeTruthy()
})

it('are said in plain text when what shows them fails', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const toaster = lazyComponent(async () => ({ Failing }), 'Failing')
  await toaster.fetch()
  render(<Messages toaster={toaster} />)
  act(() => {
    toast({ title: 'Saved' })
  })
  expect((await screen.findByRole('alert')).textContent).toBe('Saved')
  act(() => {
    toast({ title: 'Saved again' })
  })
  expect(screen.getByRole('alert').textContent).toBe('Saved again')
})

it('in plain text go when their time is over', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.useFakeTimers({ shouldAdvanceTime: true })
  render(<Messages toaster={toasterAfter(9).toaster} />)
  act(() => {
    toast({ title: 'For a while', duration: 3000 })
  })
  await screen.findByRole('alert')
  // Its time begins with its effects, which come after the picture.
  await act(async () => {})
  act(() => vi.advanceTimersByTime(3000))
  expect(screen.queryByRole('alert')).toBeNull()
  act(() => {
    toast({ title: 'Until it was read', duration: Number.POSITIVE_INFINITY })
  })
  await act(async () => {})
  act(() => vi.advanceTimersByTime(60_000))
  expect(screen.getByRole('alert').textContent).toBe('Until it was read')
})
