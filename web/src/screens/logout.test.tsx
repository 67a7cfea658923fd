// The way out as a screen.

import { authContract } from '@redpack/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { holdWaits } from '../../test/held-waits.ts'
import { mockServer, refuses, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { fallbackLogoutMs } from '../features/session/log-out.ts'
import { loggingOut } from '../features/session/logging-out.ts'
import { logoutPatienceMs } from './logout.tsx'

const server = mockServer()

afterEach(() => {
  loggingOut.set(false)
})

async function openLogout(heldMs = fallbackLogoutMs) {
  // The second way out is taken once the page of the test is gone.
  const goOn = holdWaits('Timeout', heldMs)
  const replace = vi.fn()
  vi.stubGlobal('location', { ...window.location, replace })
  const sent: string[] = []
  server.use(
    refuses(authContract.me, 401, 'Unauthorized'),
    replies(authContract.logout, (request) => {
      sent.push(`${request.method} ${new URL(request.url).pathname}`)
      return HttpResponse.json({ success: true, message: 'Logged out' })
    }),
  )
  await renderApp('/logout')
  return { replace, sent, goOn }
}

describe('the logout screen', () => {
  it("says 'Logging out...', posts, forgets everything, then goes the emergency way", async () => {
    localStorage.setItem('kept', '1')
    sessionStorage.setItem('kept', '1')
    // biome-ignore lint/suspicious/noDocumentCookie: the test is about cookies
    document.cookie = 'readable=1; path=/'
    const { replace, sent } = await openLogout()
    expect(screen.getByText('Logging out...')).toBeTruthy()
    expect(document.querySelector('.animate-spin')).not.toBeNull()
    expect(loggingOut.get()).toBe(true)
    // In its own place: going back would log out whoever has signed in by then.
    await waitFor(() => expect(replace.mock.calls).toEqual([['/api/auth/emergency-logout']]))
    expect(sent).toEqual(['POST /api/auth/logout'])
    // The browser leaves now, and whoever noted something down for the way back does so here.
    window.dispatchEvent(new Event('pagehide'))
    expect([Object.keys(localStorage), Object.keys(sessionStorage)]).toEqual([[], []])
    expect(document.cookie).toBe('')
  })

  it('offers the way out, in its own place too, when the browser does not take it', async () => {
    const { replace, goOn } = await openLogout(logoutPatienceMs)
    await waitFor(() => expect(replace).toHaveBeenCalledOnce())
    window.dispatchEvent(new Event('pagehide'))
    await goOn()
    expect(fireEvent.click(screen.getByRole('link', { name: 'Continue' }))).toBe(false)
    expect(replace).toHaveBeenLastCalledWith('/api/auth/emergency-logout')
    expect(replace).toHaveBeenCalledTimes(2)
  })
})
