// Search fields for users: what they offer was found for the text that stands in them.

import { adminUsersContract, authContract } from '@redpack/contract'
import { act, screen, waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import type { ReactElement } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { answers, mockServer, replies } from '../../test/mock-server.ts'
import { renderPart } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { ClaimSearch } from '../features/claims/claims-panel.tsx'
import { RecipientField } from '../features/grants/grant-fields.tsx'
import { sampleAdminUser, sampleUsersPage } from '../features/people/sample-users.fixture.ts'
import { UserSearch } from '../features/people/users-panel.tsx'

const server = mockServer()
/** Answers a search that is under way. */
let release: (() => void) | undefined
let asked: string[] = []

beforeEach(() => {
  release = undefined
  asked = []
  server.use(
    answers(authContract.me, sampleUser({ id: 99, role: 'admin' })),
    replies(adminUsersContract.list, async (request) => {
      const text = new URL(request.url).searchParams.get('search') ?? ''
      asked.push(text)
      if (text === 'fox2') await new Promise<void>((resolve) => (release = resolve))
      const found = text === 'fox2' ? 2 : 1
      return HttpResponse.json(
        sampleUsersPage([sampleAdminUser(found, { username: `fox${found}` })]),
      )
    }),
  )
})

const nothing = () => undefined
const offered = () =>
  screen
    .queryAllByRole('option', { hidden: true })
    .map((option) => /fox\d/.exec(option.textContent ?? '')?.[0])

it.each<[string, string, () => ReactElement]>([
  ['users', 'Search users', () => <UserSearch value="" onSearch={nothing} onPick={nothing} />],
  ['claims', 'Search claims', () => <ClaimSearch value="" onSearch={nothing} onClear={nothing} />],
  ['recipients', 'User', () => <RecipientField user={undefined} onChange={nothing} />],
])('the search for %s offers nothing of an earlier text', async (_, label, field) => {
  const { user } = await renderPart(field())
  const box = screen.getByRole('combobox', { name: label })
  await user.type(box, 'fox')
  await waitFor(() => expect(offered()).toEqual(['fox1']))
  await user.type(box, '2')
  expect(offered()).toEqual([])
  await waitFor(() => expect(asked).toContain('fox2'))
  expect(offered()).toEqual([])
  // The text is another one again before the answer to it has come.
  await user.type(box, '{Backspace}3')
  await act(async () => release?.())
  expect(offered()).not.toContain('fox2')
  await waitFor(() => expect(asked).toContain('fox3'))
  await waitFor(() => expect(offered()).toEqual(['fox1']))
})
