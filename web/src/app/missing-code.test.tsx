// What a screen does whose code cannot be fetched.

import { render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { screenCode } from '../lib/missing-code.ts'
import { CrashBoundary } from './crash-screen.tsx'

const missing = () =>
  Promise.reject(new TypeError('Failed to fetch dynamically imported module: /assets/store-1.js'))
let reload: ReturnType<typeof vi.fn>

beforeEach(() => {
  sessionStorage.clear()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  reload = vi.fn()
  vi.stubGlobal('location', { ...window.location, reload })
})

async function open(isOnline: boolean, isOnlineThen = isOnline): Promise<void> {
  const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  const Screen = screenCode<'Store', Record<'Store', () => null>>(missing, 'Store')
  await Screen.preload?.()
  network.mockReturnValue(isOnlineThen)
  render(
    <CrashBoundary>
      <Screen />
    </CrashBoundary>,
  )
}

describe('a screen whose code is missing', () => {
  it('says that the device is offline, and leaves the page as it is', async () => {
    await open(false)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('You are offline')
    expect(reload).not.toHaveBeenCalled()
  })

  it('loads the page anew when the network was back before the screen could be shown', async () => {
    await open(false, true)
    expect(screen.queryByText('Something went wrong')).toBeNull()
    expect(reload).toHaveBeenCalledOnce()
  })

  it('loads the page anew when there is a network: the build may be a newer one', async () => {
    await open(true).catch(() => undefined)
    expect(reload).toHaveBeenCalledOnce()
  })
})
