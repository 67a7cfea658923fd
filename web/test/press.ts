// Pressing a button of the page as somebody does who has to wait for it, and filling its fields.

import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect } from 'vitest'

/**
 * Presses the only button of this name as soon as it takes a press: a dialog that has just closed
 * keeps the pointer off the page for a moment longer than it can be seen.
 */
export async function pressButton(user: UserEvent, name: string): Promise<void> {
  const button = await screen.findByRole('button', { name })
  await waitFor(() => expect(getComputedStyle(button).pointerEvents).not.toBe('none'))
  await user.click(button)
}

/** The page, or a part of it. */
type Part = Pick<typeof screen, 'getByLabelText'>

/** What stands in the field of this label. */
export const textOf = (part: Part, label: string) =>
  part.getByLabelText<HTMLInputElement>(label).value

/** Puts a text in the place of what stands in the field. */
export function fill(part: Part, label: string, value: string): void {
  fireEvent.change(part.getByLabelText(label), { target: { value } })
}
