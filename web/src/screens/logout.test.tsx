// The way out as a screen.

import { authContract } from '@redpack/contract'
import { screen, waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { holdWaits } from '../../test/held-waits.ts'
import { mockServer, refuses, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { fallbackLogoutMs } from '../features/session/log-out.ts'
import { loggingOut } from '../features/session/logging-out.ts'

const server = mockServer()

afterEach(() => {
  loggingOut.set(false)
})

async function openLogout() {
  // The second way out is taken once the page of the test is gone.
  holdWaits('Timeout', fallbackLogoutMs)
  const assign = vi.fn()
  vi.stubGlobal('location', { ...window.location, assign })
  const sent: string[] = []
  server.use(
    refuses(authContract.me, 401, 'Unauthorized'),
    replies(authContract.logout, (request) => {
      sent.push(`${request.method} ${new URL(request.url).pathname}`)
      return HttpResponse.json({ success: true, message: 'Logged out' })
    }),
  )
  await renderApp('/logout')
  return { assign, sent }
}

describe('the logout screen', () => {
  it("says 'Logging out...' to anyone and raises the flag", async () => {
    await openLogout()
    expect(screen.getByText('Logging out...')).toBeTruthy()
    expect(document.querySelector('.animate-spin')).not.toBeNull()
    expect(loggingOut.get()).toBe(true)
  })

  it('posts, forgets everything, then goes the emergency way', async () => {
    localStorage.setItem('kept', '1')
    sessionStorage.setItem('kept', '1')
    // biome-ignore lint/suspicious/noDocumentCookie: the test is about cookies
    document.cookie = 'readable=1; path=/'
    const { assign, sent } = await openLogout()
    await waitFor(() => expect(assign.mock.calls).toEqual([['/api/auth/emergency-logout']]))
    expect(sent).toEqual(['POST /api/auth/logout'])
    // The browser leaves now, and whoever noted something down for the way back does so here.
    window.dispatchEvent(new Event('pagehide'))
    expect([Object.keys(localStorage), Object.keys(sessionStorage)]).toEqual([[], []])
    expect(document.cookie).toBe('')
  })
})
