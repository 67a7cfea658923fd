// The Prize Claims tab over a server that holds a few claims, for its tests.

import {
  type AdminClaim,
  adminClaimsContract,
  adminUsersContract,
  authContract,
} from '@redpack/contract'
import { screen } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach } from 'vitest'
import {
  sampleClaim,
  sampleClaimsPage,
  sampleUsersPage,
} from '../src/features/people/sample-users.fixture.ts'
import { answers, mockServer, replies } from './mock-server.ts'
import { renderApp } from './render.tsx'
import { sampleUser } from './samples.ts'

export const pending = sampleClaim(1)
export const processing = sampleClaim(2, { status: 'processing', prizeName: 'Mug' })
export const completed = sampleClaim(3, { status: 'completed', claimId: '' })
export const coins = sampleClaim(4, {
  ...{ status: 'completed', prizeName: 'Jackpot', redCoinAmount: 500 },
})

/** Serves 237 claims to staff before each test, of which a page shows four. */
export function claimsScene() {
  const server = mockServer()
  const asked: URLSearchParams[] = []
  function serveClaims(claims: AdminClaim[], total = claims.length, claimsTotal = total) {
    return replies(adminClaimsContract.list, (request) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json(sampleClaimsPage(claims, total, claimsTotal))
    })
  }
  beforeEach(() => {
    asked.length = 0
    server.use(
      answers(authContract.me, sampleUser({ id: 99, role: 'admin' })),
      answers(adminUsersContract.list, sampleUsersPage([])),
      serveClaims([pending, processing, completed, coins], 237),
    )
  })
  async function open(address = '/admin?tab=claims') {
    const rendered = await renderApp(address)
    await screen.findByText('PR-CLAIM1')
    return rendered
  }
  return { server, asked, serveClaims, open }
}
