// A key that is still held presses nothing a second time.

import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { pressOnce } from './one-press.ts'

it('an Enter that is held presses once, and goes on making lines', () => {
  onTestFinished(pressOnce())
  render(
    <>
      <button type="button">Open</button>
      <form>
        <input aria-label="City" />
        <textarea aria-label="Address" />
        <button type="submit">Save</button>
      </form>
    </>,
  )
  const isLeft = (element: HTMLElement, repeat: boolean, key = 'Enter') =>
    fireEvent.keyDown(element, { key, repeat })
  for (const element of [...screen.getAllByRole('button'), screen.getByLabelText('City')]) {
    expect(isLeft(element, false)).toBe(true)
    expect(isLeft(element, true)).toBe(false)
    expect(isLeft(element, true, 'a')).toBe(true)
  }
  expect(isLeft(screen.getByLabelText('Address'), true)).toBe(true)
})
