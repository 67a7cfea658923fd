// A part that could not be loaded: its frame, its other try.

import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { LoadError, LoadErrorCard } from './data-state.tsx'

describe('what could not be loaded', () => {
  it.each([
    [LoadErrorCard, 'a card of its own', true],
    [LoadError, 'no frame', false],
  ] as const)('stands in its frame and can be tried again (%#)', async (View, _frame, isInCard) => {
    const onRetry = vi.fn()
    render(<View title="No packs" error={new Error('500: Broken')} onRetry={onRetry} />)
    const alert = screen.getByRole('alert')
    expect(alert.closest('.card') !== null).toBe(isInCard)
    expect(within(alert).getByText('500: Broken').closest('details')).toHaveProperty('open', false)
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(onRetry).toHaveBeenCalledOnce()
  })
})
