// What stands in for a screen that threw.

import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CrashBoundary, CrashScreen, OfflineScreen } from './crash-screen.tsx'

function Broken(): never {
  throw new Error('The dice rolled off the table')
}

beforeEach(() => {
  // React reports what a boundary caught; here that is wanted.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

describe('the crash screen', () => {
  it('takes the place of children that threw, with title and text', () => {
    render(
      <CrashBoundary>
        <Broken />
      </CrashBoundary>,
    )
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Something went wrong')
    expect(
      screen.getByText('An unexpected error occurred. This might be due to a temporary issue.'),
    ).toBeTruthy()
  })

  it('refreshes the page, or returns to the dashboard', async () => {
    const [reload, assign] = [vi.fn(), vi.fn()]
    vi.stubGlobal('location', { ...window.location, reload, assign })
    render(<CrashScreen error={new Error('x')} />)
    await userEvent.click(screen.getByRole('button', { name: 'Refresh Page' }))
    expect([reload.mock.calls.length, assign.mock.calls]).toEqual([1, []])
    await userEvent.click(screen.getByRole('button', { name: 'Return to Dashboard' }))
    expect([reload.mock.calls.length, assign.mock.calls]).toEqual([1, [['/dashboard']]])
  })

  it('folds the error message away under Technical Details', async () => {
    render(<CrashScreen error={new Error('The dice rolled off the table')} />)
    const details = screen.getByText('Technical Details').closest('details')!
    expect(details.open).toBe(false)
    await userEvent.click(screen.getByText('Technical Details'))
    expect(details.open).toBe(true)
    expect(details.textContent).toContain('The dice rolled off the table')
  })

  it('still shows a crash as one without a network', () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    render(<CrashScreen error={new Error('The dice rolled off the table')} />)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Something went wrong')
  })
})

describe('the offline screen', () => {
  it('tries again when asked, and by itself once there is a network', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const reload = vi.fn()
    vi.stubGlobal('location', { ...window.location, reload })
    render(<OfflineScreen />)
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(reload).toHaveBeenCalledTimes(1)
    window.dispatchEvent(new Event('online'))
    expect(reload).toHaveBeenCalledTimes(2)
  })
})
