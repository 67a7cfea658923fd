// Taking the own data along, and leaving: as its user sees it.

import { authContract, type Claim, claimsContract, privacyContract } from '@redpack/contract'
import { type BoundFunctions, type queries, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { records, type Sent } from '../../../test/catalogue-samples.ts'
import { answers, mockServer, refuses } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { sampleOwnClaim, samplePagination } from '../../../test/samples.ts'
import { PrivacyCard } from '../../screens/profile.tsx'

const server = mockServer()

function claims(...statuses: Claim['status'][]) {
  const claims = statuses.map((status, id) => sampleOwnClaim({}, { id, status }))
  server.use(
    answers(claimsContract.list, { claims, pagination: samplePagination(statuses.length) }),
  )
}

async function ask() {
  const onLeft = vi.fn()
  const view = await renderPart(<PrivacyCard username="lunafox" onLeft={onLeft} />)
  await view.user.click(screen.getByRole('button', { name: 'Delete my account' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  return { ...view, dialog, onLeft }
}

const confirmOf = (dialog: BoundFunctions<typeof queries>) =>
  dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete my account' })

describe('the own data', () => {
  it('can be downloaded', async () => {
    await renderPart(<PrivacyCard username="lunafox" onLeft={() => undefined} />)
    const link = screen.getByRole('link', { name: 'Download my data' })
    expect(link.getAttribute('href')).toBe('/api/user/export')
    expect(link.hasAttribute('download')).toBe(true)
    // Notes of staff and their reasons are in the file, so the sentence names them.
    expect(screen.getByText(/staff notes and actions on your account/)).toBeTruthy()
  })
})

describe('signing out everywhere', () => {
  it('ends here as well, once the server has ended it', async () => {
    const onLeft = vi.fn()
    const { user } = await renderPart(<PrivacyCard username="lunafox" onLeft={onLeft} />)
    const button = screen.getByRole('button', { name: 'Sign out everywhere' })
    server.use(refuses(authContract.logoutEverywhere, 503, 'Not now'))
    await user.click(button)
    expect(await screen.findByText('Not now')).toBeTruthy()
    expect(onLeft).not.toHaveBeenCalled()
    server.use(answers(authContract.logoutEverywhere, { success: true, message: '' }))
    await user.click(button)
    await waitFor(() => expect(onLeft).toHaveBeenCalledOnce())
  })
})

describe('leaving for good', () => {
  it('says what goes and what stays, and warns of prizes that have not arrived', async () => {
    claims('pending', 'processing', 'completed')
    const { dialog } = await ask()
    expect(dialog.getByText('What we delete')).toBeTruthy()
    expect(dialog.getByText('What we keep')).toBeTruthy()
    expect(dialog.getByText(/current server seed is revealed/i)).toBeTruthy()
    expect(dialog.getByText(/blocks in place/)).toBeTruthy()
    expect((await dialog.findByText(/not been delivered yet/)).textContent).toBe(
      '2 prizes have not been delivered yet. Without your delivery details, we cannot send them.',
    )
  })

  it('warns of nothing when every prize has arrived', async () => {
    claims('completed')
    const { dialog, queryClient } = await ask()
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(dialog.queryByText(/not been delivered yet/)).toBeNull()
  })

  it('needs the username, exactly', async () => {
    claims()
    const sent: Sent[] = []
    server.use(records(privacyContract.deleteAccount, { success: true, message: 'ok' }, sent))
    const { dialog, user, onLeft } = await ask()
    const field = dialog.getByLabelText('Type lunafox to confirm')
    expect(confirmOf(dialog).disabled).toBe(true)
    await user.type(field, 'LunaFox{Enter}')
    expect(confirmOf(dialog).disabled).toBe(true)
    await user.clear(field)
    await user.type(field, 'lunafox')
    await user.click(confirmOf(dialog))
    await waitFor(() => expect(onLeft).toHaveBeenCalledOnce())
    expect(sent.map(({ body }) => body)).toEqual([{ confirm: 'lunafox' }])
  })

  it('says what the server has against it, and stays', async () => {
    claims()
    server.use(refuses(privacyContract.deleteAccount, 403, 'This account is protected'))
    const { dialog, user, onLeft } = await ask()
    await user.type(dialog.getByLabelText('Type lunafox to confirm'), 'lunafox{Enter}')
    expect(await screen.findByText('This account is protected')).toBeTruthy()
    expect(onLeft).not.toHaveBeenCalled()
  })
})
