// The dialog that fills the screen: where its keys and its focus go.

import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { LiveRegion } from '../feedback/live-region.tsx'
import { FullDialog, FullDialogTitle } from './full-dialog.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})

async function settle(): Promise<void> {
  await act(async () => {
    vi.advanceTimersByTime(20)
  })
}

interface SceneProps {
  readonly isOpen: boolean
  readonly hasMore?: boolean
  readonly onClose?: () => void
  readonly returnTo?: () => HTMLElement
}

function Scene({ isOpen, hasMore = true, onClose = () => undefined, returnTo }: SceneProps) {
  return (
    <>
      <main>
        <button type="button">Opener</button>
        <LiveRegion />
      </main>
      {isOpen && (
        <FullDialog onClose={onClose} returnTo={returnTo}>
          <FullDialogTitle>Result</FullDialogTitle>
          <button type="button">First</button>
          {hasMore && <button type="button">Last</button>}
        </FullDialog>
      )}
    </>
  )
}

/** By its text, since what is hidden from readers has no name. */
const button = (text: string) => screen.getByText(text, { selector: 'button' })
const title = () => screen.getByRole('heading', { name: 'Result' })

async function open(onClose?: () => void) {
  const { rerender } = render(<Scene isOpen={false} />)
  button('Opener').focus()
  rerender(<Scene isOpen onClose={onClose} />)
  await settle()
  return rerender
}

describe('a dialog that fills the screen', () => {
  it('is named by its title, which takes the focus', async () => {
    await open()
    expect(screen.getByRole('dialog', { name: 'Result' }).ariaModal).toBe('true')
    expect(document.activeElement).toBe(title())
  })

  it('hides the page from readers but for the voice, until it closes', async () => {
    const rerender = await open()
    expect(button('Opener').closest('[aria-hidden="true"]')).toBeTruthy()
    expect(document.querySelector('[aria-live]')?.closest('[aria-hidden]')).toBeNull()
    rerender(<Scene isOpen={false} />)
    expect(button('Opener').closest('[aria-hidden]')).toBeNull()
  })

  it('leads the Tab key in a circle', async () => {
    await open()
    fireEvent.keyDown(title(), { key: 'Tab', shiftKey: true })
    expect(document.activeElement).toBe(button('Last'))
    fireEvent.keyDown(button('Last'), { key: 'Tab' })
    expect(document.activeElement).toBe(button('First'))
    fireEvent.keyDown(button('First'), { key: 'Tab', shiftKey: true })
    expect(document.activeElement).toBe(button('Last'))
  })

  it('takes the focus back from the page, and from what is gone', async () => {
    const rerender = await open()
    button('Last').focus()
    button('Opener').focus()
    expect(document.activeElement).toBe(button('Last'))
    rerender(<Scene isOpen hasMore={false} />)
    await settle()
    expect(document.activeElement).toBe(title())
  })

  it('leaves the focus to a dialog above it', async () => {
    await open()
    const above = document.body.appendChild(document.createElement('div'))
    above.setAttribute('role', 'alertdialog')
    const answer = above.appendChild(document.createElement('button'))
    answer.focus()
    expect(document.activeElement).toBe(answer)
    above.remove()
  })

  it('closes on Escape, and gives the focus to what opened it', async () => {
    const onClose = vi.fn()
    const rerender = await open(onClose)
    fireEvent.keyDown(title(), { key: 'Escape' })
    expect(onClose).toHaveBeenCalledOnce()
    rerender(<Scene isOpen={false} />)
    await settle()
    expect(document.activeElement).toBe(button('Opener'))
    expect(document.documentElement.style.overflow).toBe('')
  })

  it('gives the focus to another place without turning the page away from what is new', async () => {
    const scene = (isOpen: boolean) => <Scene isOpen={isOpen} returnTo={() => button('Opener')} />
    const { rerender } = render(scene(true))
    await settle()
    const focus = vi.spyOn(button('Opener'), 'focus')
    rerender(scene(false))
    await settle()
    expect(document.activeElement).toBe(button('Opener'))
    expect(focus).toHaveBeenCalledWith({ preventScroll: true })
  })
})
