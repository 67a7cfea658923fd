// The two tabs of the panel that lead to the bots.

import { adminBotsContract as contract } from '@redpack/contract'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answers, mockServer } from '../../../test/mock-server.ts'
import { renderApp } from '../../../test/render.tsx'

const server = mockServer()

it.each([
  ['Discord Bot', 'discord-bot'],
  ['Bot Credentials', 'bot-credentials'],
])('%s opens by its link and shows the Discord bot', async (label, tab) => {
  server.use(
    answers(contract.servers, []),
    answers(contract.settings, {
      rewardAmount: 25,
      isActive: true,
      postSchedule: [6, 12, 18, 24],
      isDefault: true,
      hasToken: true,
      problem: null,
      nextPostAt: null,
    }),
  )
  await renderApp(`/admin?tab=${tab}`)
  expect(await screen.findByRole('heading', { level: 2, name: label })).toBeTruthy()
  expect(await screen.findByRole('form', { name: 'Bot settings' })).toBeTruthy()
  const tabs = within(screen.getByRole('navigation', { name: 'Admin tabs' }))
  const link = tabs.getByRole('link', { name: label })
  expect(link.getAttribute('aria-current')).toBe('page')
  expect(link.getAttribute('data-tab')).toBe(tab)
})
