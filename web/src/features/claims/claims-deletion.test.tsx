// The Prize Claims tab of the panel: claims that go, and come back.

import { adminClaimsContract } from '@redpack/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { records, type Sent } from '../../../test/catalogue-samples.ts'
import { claimsScene, pending } from '../../../test/claims-scene.ts'
import { answers, holds, refuses, replies } from '../../../test/mock-server.ts'
import { pressButton } from '../../../test/press.ts'
import { expectDone, expectFailed, lastToast } from '../../../test/toasts.ts'
import { sampleClaim } from '../people/sample-users.fixture.ts'

const { server, serveClaims, open } = claimsScene()

const removed = { success: true as const, message: 'ok' }

describe('Delete', () => {
  async function ask() {
    const rendered = await open()
    await rendered.user.click(screen.getByRole('button', { name: 'Delete PR-CLAIM1' }))
    const question = within(await screen.findByRole('alertdialog'))
    return { ...rendered, question }
  }

  it('asks whether it may never come back, deletes, and offers no Undo', async () => {
    server.use(answers(adminClaimsContract.remove, removed))
    const { user, question } = await ask()
    expect(question.getByText(/This action cannot be undone\.$/)).toBeTruthy()
    await user.click(question.getByRole('button', { name: 'Confirm' }))
    await expectDone('Prize claim deleted successfully: PR-CLAIM1')
    expect(lastToast()?.action).toBeUndefined()
  })

  it('that is answered late leaves the question of another claim as it is', async () => {
    const late = holds(adminClaimsContract.remove, () => HttpResponse.json(removed))
    server.use(late.handler)
    const { user, question } = await ask()
    await user.click(question.getByRole('button', { name: 'Confirm' }))
    await user.keyboard('{Escape}')
    await pressButton(user, 'Delete PR-CLAIM2')
    const confirm = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Confirm' })
    await waitFor(() => expect(confirm().disabled).toBe(false))
    late.release()
    await expectDone('Prize claim deleted successfully: PR-CLAIM1')
    expect(await screen.findByText('Deleted PR-CLAIM1.')).toBeTruthy()
    expect(screen.getByRole('alertdialog')).toBeTruthy()
  })

  it.each([
    ['deletes', answers(adminClaimsContract.remove, removed)],
    ['finds the claim gone', refuses(adminClaimsContract.remove, 404, 'Prize claim not found')],
  ])('is done where the first request fails and a second, direct one %s', async (_, second) => {
    const trouble = () => new HttpResponse('proxy trouble', { status: 502 })
    server.use(replies(adminClaimsContract.remove, trouble, { once: true }), second)
    const { user, question } = await ask()
    await user.click(question.getByRole('button', { name: 'Confirm' }))
    await expectDone('Prize claim deleted successfully: PR-CLAIM1')
  })

  it('says when both have failed', async () => {
    server.use(refuses(adminClaimsContract.remove, 500, 'Internal server error'))
    const { user, question } = await ask()
    await user.click(question.getByRole('button', { name: 'Confirm' }))
    await expectFailed('Error deleting prize claim', 'Internal server error')
  })
})

describe('Restore', () => {
  it('asks for a reason, keeps it when that fails, and sends it', async () => {
    const sent: Sent[] = []
    const gone = sampleClaim(7, { deletedAt: '2026-11-20T12:00:00.000Z' })
    server.use(
      serveClaims([pending, gone]),
      replies(adminClaimsContract.restore, () => HttpResponse.error(), { once: true }),
      records(adminClaimsContract.restore, { ...removed, restoredCount: 1 }, sent),
    )
    const { user } = await open('/admin?tab=claims&status=deleted')
    // They are none of the total.
    expect(screen.getByText('Showing 2 deleted claims')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Restore PR-CLAIM7' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Restore claim' }))
    const restore = question.getByRole('button', { name: 'Restore' }) as HTMLButtonElement
    await user.type(question.getByLabelText('Reason'), '  ')
    expect(restore.disabled).toBe(true)
    await user.type(question.getByLabelText('Reason'), 'Deleted by mistake')
    await user.click(restore)
    await waitFor(() => expect(lastToast()?.variant).toBe('destructive'))
    await user.click(restore)
    await expectDone('1 prize claim restored successfully')
    expect(sent[0]?.body).toEqual({ ids: [7], reason: 'Deleted by mistake' })
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })
})

describe('Delete All', () => {
  async function ask() {
    const rendered = await open()
    await rendered.user.click(await screen.findByRole('button', { name: 'Delete All' }))
    const question = within(await screen.findByRole('alertdialog'))
    const confirm = question.getByRole('button', { name: 'Confirm' }) as HTMLButtonElement
    return { ...rendered, question, confirm }
  }

  it('names the total, wants its words typed, and deletes', async () => {
    server.use(
      answers(adminClaimsContract.removeAll, { ...removed, deletedCount: 237, batchId: null }),
    )
    const { user, question, confirm } = await ask()
    expect(
      await question.findByText(
        'Are you sure you want to delete ALL 237 prize claims? This action cannot be undone.',
      ),
    ).toBeTruthy()
    expect(confirm.disabled).toBe(true)
    await user.type(question.getByLabelText('Type delete all to confirm'), 'delete all')
    await user.click(confirm)
    await expectDone('237 prize claims deleted successfully')
  })

  it('says when it failed', async () => {
    server.use(refuses(adminClaimsContract.removeAll, 503, 'Try again later'))
    const { user, question, confirm } = await ask()
    await user.type(question.getByLabelText('Type delete all to confirm'), 'DELETE ALL')
    await user.click(confirm)
    await expectFailed('Error deleting all prize claims', 'Try again later')
  })
})
