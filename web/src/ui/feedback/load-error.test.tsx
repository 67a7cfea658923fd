// A part that could not be loaded: its frame, its other try.

import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { DataState, LoadError, LoadErrorCard } from './state.tsx'

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

  const ourSide = 'Something went wrong on our side. Please try again in a moment.'
  it.each([
    ['{"code":"unavailable","message":"The service is busy"}', 503, 'The service is busy'],
    ['{"code":"internal_error","message":"Internal server error"}', 500, ourSide],
    ['<html>502 Bad Gateway</html>', 502, ourSide],
  ])('says what helps of %s', (body, status, expected) => {
    const error = new ApiError(status, '', body)
    const query = { data: undefined, error, isFetching: false, refetch: vi.fn() }
    render(
      <DataState query={query} what="your packs" skeleton="h-4">
        {() => null}
      </DataState>,
    )
    expect(screen.getByText(expected)).toBeTruthy()
  })
})
