// Roles in the Users tab: one's own, and what strict roles leave to offer.

import { type AdminUser, adminUsersContract, authContract } from '@redpack/contract'
import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { records, type Sent } from '../../../test/catalogue-samples.ts'
import { answers, mockServer } from '../../../test/mock-server.ts'
import { renderApp } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { expectDone } from '../../../test/toasts.ts'
import { panelForAdmin, sampleAdminUser, sampleUsersPage } from './sample-users.fixture.ts'

const server = mockServer()
const ana = sampleAdminUser(1, { username: 'ana', displayName: 'Ana' })
const serveUsers = (users: AdminUser[]) => answers(adminUsersContract.list, sampleUsersPage(users))

beforeEach(() => {
  server.use(...panelForAdmin)
})

async function open() {
  const rendered = await renderApp('/admin?tab=users')
  await screen.findByRole('rowheader', { name: /Ana/ })
  return rendered
}
const rowOf = (name: string) => screen.getByRole('row', { name: new RegExp(name) })

describe('a role', () => {
  const ownRole = async (role: string, to: string) => {
    const self = sampleAdminUser(99, {
      username: 'me',
      displayName: 'Me Myself',
      role: role as never,
    })
    server.use(
      answers(authContract.me, sampleUser({ id: 99, role: role as never })),
      serveUsers([ana, self]),
    )
    const rendered = await open()
    const row = within(rowOf('Me Myself'))
    expect(row.getByText('(you)')).toBeTruthy()
    await rendered.user.selectOptions(row.getByRole('combobox', { name: 'Role of Me Myself' }), to)
    return { ...rendered, dialog: within(await screen.findByRole('alertdialog')) }
  }

  it('that is the own one is asked for with what will be lost', async () => {
    const sent: Sent[] = []
    server.use(records(adminUsersContract.changeRole, { ...ana, id: 99, role: 'user' }, sent))
    const { user, dialog } = await ownRole('admin', 'user')
    expect(dialog.getByText('Make yourself User?')).toBeTruthy()
    expect(dialog.getByText(/You lose access to the admin panel at once/)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Change role' }))
    await expectDone('You are now User')
    expect(sent[0]?.body).toEqual({ role: 'user', expected: { role: 'admin' } })
  })

  it('that is the own one says what only a super user can give back', async () => {
    const { dialog } = await ownRole('super_user', 'admin')
    expect(dialog.getByText(/only a super user can restore it/)).toBeTruthy()
  })

  it('of a super user is not offered to who may not give or take it', async () => {
    const chief = sampleAdminUser(6, {
      username: 'chief',
      displayName: 'Chief',
      role: 'super_user',
    })
    server.use(
      serveUsers([ana, chief]),
      answers(adminUsersContract.powers, { mayActOnEverybody: false, mayChangeSuperUsers: false }),
    )
    await open()
    expect(
      await within(rowOf('Chief')).findByText('Only a super user can change this'),
    ).toBeTruthy()
    expect(within(rowOf('Chief')).queryByRole('combobox')).toBeNull()
    const options = within(rowOf('Ana')).getAllByRole<HTMLOptionElement>('option')
    expect(options.map(({ value, disabled }) => [value, disabled])).toEqual([
      ['user', false],
      ['admin', false],
      ['super_user', true],
    ])
  })
})
