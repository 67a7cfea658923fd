// What the panel's parts ask the server, by who is signed in.

import {
  adminAuditContract,
  adminClaimsContract,
  adminPackTypesContract,
  adminUsersContract,
  authContract,
  type EndpointShape,
  type Role,
  secondFactorContract,
} from '@redpack/contract'
import { waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import type { ComponentType } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { answers, mockServer } from '../../test/mock-server.ts'
import { renderPart } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { SecurityPanel } from '../features/account/security-panel.tsx'
import { AuditPanel } from '../features/audit/audit-panel.tsx'
import { StorePanel } from '../features/catalogue/listings-panel.tsx'
import { PackTypesPanel } from '../features/catalogue/pack-types-panel.tsx'
import { ClaimsPanel } from '../features/claims/claims-panel.tsx'
import { DistributePanel } from '../features/grants/distribute-panel.tsx'
import { UsersPanel } from '../features/people/users-panel.tsx'

const server = mockServer()
const me = authContract.me.path
let asked: string[]

beforeEach(() => {
  asked = []
  server.events.removeAllListeners()
  server.events.on('request:start', ({ request }) => {
    asked.push(new URL(request.url).pathname)
  })
})

/** Each part of the panel, and the calls in it that only staff may make. */
const parts: [string, ComponentType, EndpointShape[]][] = [
  ['Users', UsersPanel, [adminUsersContract.list, adminPackTypesContract.list]],
  ['Distribute', DistributePanel, [adminUsersContract.list, adminPackTypesContract.list]],
  ['Pack Types', PackTypesPanel, [adminPackTypesContract.list]],
  ['Store', StorePanel, [adminPackTypesContract.list]],
  ['Prize Claims', ClaimsPanel, [adminClaimsContract.list]],
  ['Audit', AuditPanel, [adminAuditContract.list]],
  ['Security', SecurityPanel, [secondFactorContract.status]],
]

async function showTo(role: Role, Panel: ComponentType) {
  server.use(
    answers(authContract.me, sampleUser({ role })),
    // What stands in the parts has tests of its own.
    http.get('/api/*', ({ request }) =>
      new URL(request.url).pathname === me ? undefined : new Promise<Response>(() => {}),
    ),
    http.post('/api/*', () => HttpResponse.json({ packs: [] })),
  )
  return renderPart(<Panel />)
}

describe.each(parts)('the part %s', (_, Panel, endpoints) => {
  const paths: string[] = endpoints.map(({ path }) => path)

  it.each(['admin', 'super_user'] as const)('asks for its lists for %s', async (role) => {
    await showTo(role, Panel)
    await waitFor(() => expect(asked).toEqual(expect.arrayContaining(paths)))
  })

  it('asks for none of them for a user without the role', async () => {
    const { queryClient } = await showTo('user', Panel)
    // What does not wait for the role has gone out before the answer says who is there.
    await waitFor(() => expect(queryClient.getQueryData([me])).toMatchObject({ role: 'user' }))
    expect(asked.filter((path) => paths.includes(path))).toEqual([])
  })
})
