// The open panel when its user is let in no longer.

import {
  adminAuditContract,
  adminClaimsContract,
  adminPackTypesContract,
  authContract,
} from '@redpack/contract'
import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { samplePackType } from '../../../test/catalogue-samples.ts'
import { answers, mockServer, refuses } from '../../../test/mock-server.ts'
import { renderApp } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { ApiError } from '../../lib/api-error.ts'
import { sampleClaim, sampleClaimsPage } from '../people/sample-users.fixture.ts'
import { endsAccess } from './gates.tsx'

const server = mockServer()

beforeEach(() => {
  server.use(answers(adminClaimsContract.list, sampleClaimsPage([sampleClaim(1)])))
})

const goTo = (name: string) =>
  within(screen.getByRole('navigation', { name: 'Admin tabs' })).getByRole('link', { name })

describe('the panel of someone who', () => {
  it.each([
    ['/admin', 'You need admin privileges to access this panel.'],
    ['/admin-old', "You don't have permission to access the admin panel."],
  ])('lost the role closes with the next request on %s', async (address, sentence) => {
    const { user } = await renderApp(`${address}?tab=claims`)
    await screen.findByText('PR-CLAIM1')
    server.use(
      answers(authContract.me, sampleUser({ role: 'user' })),
      refuses(adminAuditContract.list, 403, 'You may not', 'forbidden'),
    )
    await user.click(goTo('Audit Log'))
    expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeTruthy()
    expect(screen.getByText(sentence)).toBeTruthy()
    expect(screen.queryByRole('navigation', { name: 'Admin tabs' })).toBeNull()
  })

  it('logged out elsewhere closes with the next act, too', async () => {
    const { user } = await renderApp('/admin?tab=claims')
    await user.click(await screen.findByRole('button', { name: 'Approve PR-CLAIM1' }))
    server.use(
      refuses(authContract.me, 401, 'Unauthorized', 'unauthorized'),
      refuses(adminClaimsContract.update, 401, 'Unauthorized', 'unauthorized'),
    )
    await user.click(await screen.findByRole('button', { name: 'Confirm' }))
    expect(await screen.findByRole('button', { name: 'Login with Twitch' })).toBeTruthy()
    expect(screen.queryByText('PR-CLAIM1')).toBeNull()
    expect(screen.queryByText(/is kept in this tab/)).toBeNull()
  })

  it('was signed out over a form reads that what was entered is kept', async () => {
    server.use(answers(adminPackTypesContract.list, [samplePackType()]))
    const { user } = await renderApp('/admin?tab=pack-types')
    await user.click(await screen.findByRole('button', { name: /^Edit / }))
    await user.type(await screen.findByLabelText('Description'), ' and more')
    server.use(
      refuses(authContract.me, 401, 'Unauthorized', 'unauthorized'),
      refuses(adminPackTypesContract.update, 401, 'Unauthorized', 'unauthorized'),
    )
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText(/What you entered is kept in this tab/)).toBeTruthy()
  })
})

describe('a refusal', () => {
  const error = (status: number, code: string) =>
    new ApiError(status, 'No', JSON.stringify({ code, message: 'no' }))

  it('ends access only for want of the session or the role', () => {
    expect(endsAccess(error(401, 'unauthorized'))).toBe(true)
    expect(endsAccess(error(403, 'forbidden'))).toBe(true)
    expect(endsAccess(error(403, 'protected_account'))).toBe(false)
    expect(endsAccess(error(403, 'confirmation_needed'))).toBe(false)
    expect(endsAccess(error(500, 'internal'))).toBe(false)
    expect(endsAccess(new Error('offline'))).toBe(false)
  })
})
