// What keys open over a screen when its code is not there any more.

import { authContract } from '@redpack/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { answers, mockServer } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { toastStore } from '../ui/feedback/toast.ts'

const missing = () => {
  throw new TypeError('Failed to fetch dynamically imported module: /assets/part-1.js')
}

vi.mock('./command-menu.tsx', () => ({
  get AppCommandMenu() {
    return missing()
  },
}))
vi.mock('./shortcut-help.tsx', () => ({
  get ShortcutHelp() {
    return missing()
  },
}))
vi.mock('../features/people/suspension-banner.tsx', () => ({
  get SuspensionBanner() {
    return missing()
  },
}))

const server = mockServer()

it.each([
  ['the command menu', { key: 'k', ctrlKey: true }],
  ['the list of shortcuts', { key: '?' }],
])('leave the screen as it is, and offer the newer version of %s', async (_, press) => {
  vi.spyOn(console, 'warn').mockReturnValue()
  await renderApp('/nowhere')
  await screen.findByRole('button', { name: /^Account of/ })
  await waitFor(() => {
    // The bar may be there a moment before the page listens; the static page keeps such presses.
    fireEvent.keyDown(document.body, press)
    expect(toastStore.get().toasts[0]?.title).toBe('There is a newer version of this page')
  })
  expect(screen.getByRole('heading', { name: 'Page Not Found' })).toBeTruthy()
})

it('says that somebody is suspended without the reason, which comes with its code', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  const suspension = { reason: 'Runs a farm', until: null, answer: null }
  server.use(answers(authContract.me, sampleUser({ suspension })))
  await renderApp('/nowhere')
  expect((await screen.findByText('Your account is suspended')).parentElement?.role).toBe('status')
})
