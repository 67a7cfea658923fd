// Claim instructions: short ones whole, long ones folded.

import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { isLongText } from '../../ui/layout/long-text.tsx'
import { ClaimInstructions } from './shared/claim-parts.tsx'

describe('ClaimInstructions', () => {
  it('shows a short text whole', () => {
    render(<ClaimInstructions text="Write to a moderator." />)
    expect(screen.getByText('Write to a moderator.')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('folds a long text until asked for', async () => {
    render(<ClaimInstructions text={'Write to us. '.repeat(30)} />)
    const button = screen.getByRole('button', { name: 'Show all' })
    expect(button.getAttribute('aria-expanded')).toBe('false')
    await userEvent.click(button)
    const open = screen.getByRole('button', { name: 'Show less' })
    expect(open.getAttribute('aria-expanded')).toBe('true')
  })

  it.each([
    ['one line', false],
    ['a\nb\nc', false],
    ['a\nb\nc\nd', true],
    ['x'.repeat(136), true],
    ['  a\nb\nc\n\n ', false],
  ])('takes %j for long: %s', (text, isLong) => {
    expect(isLongText(text)).toBe(isLong)
  })
})
