// Messages on screen.

import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { toastFailed } from './outcome.ts'
import { toast } from './toast.ts'
import { Toaster, toastHotkey, toastSwipeThresholdPx } from './toaster.tsx'

function shown(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('.toast[data-state="open"]')]
}

/** Lets the toasts, which are drawn as a transition, appear. */
async function raise(content: Parameters<typeof toast>[0]): Promise<void> {
  await act(async () => {
    toast(content)
  })
}

describe('the messages', () => {
  it('shows one at a time, the newest', async () => {
    render(<Toaster />)
    await raise({ title: 'First' })
    await raise({ title: 'Second' })
    expect(shown()).toHaveLength(1)
    expect(shown()[0]?.textContent).toContain('Second')
  })

  it('draws the variants differently', async () => {
    render(<Toaster />)
    await raise({ title: 'Good' })
    expect(shown()[0]?.dataset['variant']).toBe('default')
    await raise({ title: 'Bad', variant: 'destructive' })
    expect(shown()[0]?.dataset['variant']).toBe('destructive')
    expect(shown()[0]?.className).toContain('border-danger')
  })

  it('leaves after 5000 ms, or after the time it was given', async () => {
    vi.useFakeTimers()
    render(<Toaster />)
    await raise({ title: 'Usual' })
    act(() => vi.advanceTimersByTime(4999))
    expect(shown()).toHaveLength(1)
    act(() => vi.advanceTimersByTime(1))
    expect(shown()).toHaveLength(0)
    await raise({ title: 'Longer', duration: 10_000 })
    act(() => vi.advanceTimersByTime(9999))
    expect(shown()).toHaveLength(1)
    act(() => vi.advanceTimersByTime(1))
    expect(shown()).toHaveLength(0)
  })

  it('stays with many reasons until it is dismissed', async () => {
    vi.useFakeTimers()
    render(<Toaster />)
    await act(async () => toastFailed('Refused', new Error('None\nrow 2: Unknown user'), ''))
    act(() => vi.advanceTimersByTime(10 * 60_000))
    expect(shown()[0]?.textContent).toContain('row 2: Unknown user')
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(shown()).toHaveLength(0)
  })

  it('gives way with many reasons too, which the log then tells line by line', async () => {
    render(<Toaster />)
    await act(async () => toastFailed('Refused', new Error('None\nrow 2: Unknown user'), ''))
    await raise({ title: 'Newest' })
    expect(shown().map((message) => message.textContent)).toEqual(['Newest'])
    fireEvent.keyDown(document, { key: 'F8', code: 'F8' })
    const log = within(screen.getByRole('region', { name: 'Message log' }))
    expect(log.getByText(/row 2: Unknown user/).className).toContain('whitespace-pre-line')
  })

  it('is swiped away from 50 px on', async () => {
    expect(toastSwipeThresholdPx).toBe(50)
    render(<Toaster />)
    const swipe = async (distance: number) => {
      const message = shown()[0]!
      message.setPointerCapture = () => {}
      fireEvent.pointerDown(message, { button: 0, clientX: 100, clientY: 10, pointerId: 1 })
      fireEvent.pointerMove(message, { clientX: 120, clientY: 10, pointerId: 1 })
      fireEvent.pointerMove(message, { clientX: 100 + distance, clientY: 10, pointerId: 1 })
      fireEvent.pointerUp(message, { clientX: 100 + distance, clientY: 10, pointerId: 1 })
      await act(async () => {})
    }
    await raise({ title: 'Stays' })
    await swipe(45)
    expect(shown()).toHaveLength(1)
    await swipe(60)
    expect(shown()).toHaveLength(0)
  })

  it('goes at Escape from anywhere on the page', async () => {
    render(<Toaster />)
    await raise({ title: 'Saved' })
    fireEvent.keyDown(document.body, { key: 'Escape' })
    expect(shown()).toHaveLength(0)
  })

  it('takes the focus and opens the log at F8', async () => {
    expect(toastHotkey).toBe('F8')
    render(<Toaster />)
    await raise({ title: 'Replaced', variant: 'destructive', description: 'Too few packs' })
    await raise({ title: 'Newest' })
    fireEvent.keyDown(document, { key: 'F8', code: 'F8' })
    expect(document.activeElement?.tagName).toBe('OL')
    const log = screen.getByRole('region', { name: 'Message log' })
    expect(log.textContent).toContain('Replaced')
    expect(log.textContent).toContain('Too few packs')
    fireEvent.keyDown(log, { key: 'Escape' })
    expect(screen.queryByRole('region', { name: 'Message log' })).toBeNull()
  })

  it('copies an error with its detail from the log', async () => {
    const writeText = vi.fn(async (_: string) => {})
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
    render(<Toaster />)
    await raise({ title: 'Error', description: 'Oh no', variant: 'destructive', detail: '500: x' })
    fireEvent.keyDown(document, { key: 'F8', code: 'F8' })
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Copy message: Error' }))
    })
    expect(writeText).toHaveBeenCalledWith('Error\nOh no\n500: x')
  })

  it('offers one thing to do about it', async () => {
    const onSelect = vi.fn()
    render(<Toaster />)
    await raise({ title: 'Removed', action: { label: 'Undo', onSelect } })
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(onSelect).toHaveBeenCalledOnce()
    expect(shown()).toHaveLength(0)
  })

  it.each([
    ['above a bar at the foot of the window', new DOMRect(0, 600, 390, 168), '168px'],
    ['where it was beside one', new DOMRect(900, 500, 340, 400), '0px'],
  ])('stands %s', async (_, bar, room) => {
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (
      this: Element,
    ) {
      return this.matches('[data-bar]') ? bar : new DOMRect(12, 700, 384, 56)
    })
    const { baseElement } = render(
      <>
        <div data-bar />
        <Toaster />
      </>,
    )
    await raise({ title: 'Opened' })
    const holder = baseElement.querySelector<HTMLElement>('.z-toast')
    expect(holder?.style.getPropertyValue('--bar')).toBe(room)
  })
})
