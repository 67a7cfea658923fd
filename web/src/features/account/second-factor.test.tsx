// The second factor: set up, used, renewed and turned off.

import {
  adminGrantsContract,
  authContract,
  type SecondFactorStatus,
  secondFactorContract,
} from '@redpack/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answers, later, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { renderApp, renderPart } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { callConfirmed } from '../../lib/confirmed-call.ts'
import { clearToasts, toastStore } from '../../ui/feedback/toast.ts'
import { LocalSignIn } from './local-sign-in.tsx'

const server = mockServer()
const off: SecondFactorStatus = {
  isAvailable: true,
  isEnabled: false,
  enabledAt: null,
  recoveryCodesLeft: 0,
}
const on: SecondFactorStatus = {
  ...off,
  isEnabled: true,
  enabledAt: '2026-11-20T10:00:00.000Z',
  recoveryCodesLeft: 2,
}
const recoveryCodes = ['AAAA-1111', 'BBBB-2222']

beforeEach(() => {
  server.use(answers(authContract.me, sampleUser({ role: 'super_user' })))
})

async function open(status: SecondFactorStatus) {
  server.use(answers(secondFactorContract.status, status))
  const rendered = await renderApp('/admin?tab=security')
  await screen.findByRole('heading', { name: 'Second factor' })
  return rendered
}

describe('the Security tab', () => {
  it('sets it up by QR code and shows the recovery codes once', async () => {
    const sent = vi.fn()
    let answer = () => {}
    const closed = new Promise<void>((done) => (answer = done))
    server.use(
      answers(secondFactorContract.enrol, {
        secret: 'JBSWY3DPEHPK3PXP',
        otpauthUrl: 'otpauth://totp/Redpack:boss?secret=JBSWY3DPEHPK3PXP&issuer=Redpack',
      }),
      replies(secondFactorContract.confirm, async (request) => {
        sent(await request.json())
        await closed
        return HttpResponse.json({ success: true, message: 'ok', recoveryCodes })
      }),
    )
    const { user } = await open(off)
    await user.click(screen.getByRole('button', { name: 'Set up' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Set up the second factor' }))
    expect(await dialog.findByRole('img', { name: /QR code/ })).toBeTruthy()
    expect(dialog.getByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy()
    await user.type(dialog.getByLabelText('Code'), '123 456')
    server.use(answers(secondFactorContract.status, on))
    await user.click(dialog.getByRole('button', { name: 'Turn on' }))
    // Closed while the code is checked: the codes have to be shown all the same.
    await user.keyboard('{Escape}')
    answer()
    const codes = within(await screen.findByRole('dialog', { name: 'Recovery codes' }))
    expect(sent).toHaveBeenCalledWith({ code: '123 456' })
    expect(codes.getByText('AAAA-1111')).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(codes.getByRole('button', { name: 'Done' })).toHaveProperty('disabled', true)
    await user.click(codes.getByRole('checkbox', { name: 'I have saved these codes' }))
    await user.click(codes.getByRole('button', { name: 'Done' }))
    expect(await screen.findByRole('button', { name: 'Turn off' })).toBeTruthy()
    expect(screen.queryByText('AAAA-1111')).toBeNull()
  })

  it('has the focus at the code that it asks for, and keeps it afterwards', async () => {
    const { user } = await open(on)
    for (const step of ['New recovery codes', 'Turn off']) {
      await user.click(screen.getByRole('button', { name: step }))
      expect(document.activeElement).toBe(screen.getByLabelText('Code'))
      await user.click(screen.getByRole('button', { name: 'Cancel' }))
      expect(document.activeElement?.textContent).toContain('Second factor')
      expect(document.activeElement).not.toBe(document.body)
    }
  })

  it('warns of few codes and makes new ones', async () => {
    server.use(
      answers(secondFactorContract.renewCodes, { success: true, message: 'ok', recoveryCodes }),
    )
    const { user } = await open(on)
    expect(screen.getByText(/2 recovery codes left/)).toBeTruthy()
    expect(screen.getByText(/before the last one is used/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'New recovery codes' }))
    await user.type(screen.getByLabelText('Code'), '123456')
    await user.click(screen.getByRole('button', { name: 'Make new codes' }))
    expect(await screen.findByText('BBBB-2222')).toBeTruthy()
  })

  it('says how a code was answered also when the page was left, and keeps the new codes', async () => {
    const { user, router } = await open(on)
    const leaveWith = async (response: Response) => {
      const { given, give } = later()
      const asked = vi.fn(() => given)
      server.use(replies(secondFactorContract.renewCodes, asked))
      await user.click(await screen.findByRole('button', { name: 'New recovery codes' }))
      await user.type(screen.getByLabelText('Code'), '123456')
      await user.click(screen.getByRole('button', { name: 'Make new codes' }))
      await act(() => router.navigate({ to: '/nowhere' as '/' }))
      await waitFor(() => expect(asked).toHaveBeenCalledOnce())
      give(response)
      await waitFor(() => expect(toastStore.get().toasts[0]).toBeTruthy())
      await act(() => router.navigate({ to: '/admin', search: { tab: 'security' } }))
      return toastStore.get().toasts[0]?.description
    }
    const wrong = HttpResponse.json({ message: 'The code is wrong' }, { status: 401 })
    expect(await leaveWith(wrong)).toBe('The code is wrong')
    clearToasts()
    const made = HttpResponse.json({ success: true, message: 'ok', recoveryCodes })
    expect(await leaveWith(made)).toBe('New recovery codes are made')
    expect(await screen.findByText('BBBB-2222')).toBeTruthy()
  })

  it('turns it off with a code, and says when the code is wrong', async () => {
    server.use(refuses(secondFactorContract.turnOff, 401, 'The code is wrong'))
    const { user } = await open(on)
    await user.click(screen.getByRole('button', { name: 'Turn off' }))
    await user.type(screen.getByLabelText('Code'), '000000')
    await user.click(screen.getByRole('button', { name: 'Turn off' }))
    expect(await screen.findByText('The code is wrong')).toBeTruthy()
    server.use(
      answers(secondFactorContract.turnOff, { success: true, message: 'ok' }),
      answers(secondFactorContract.status, off),
    )
    await user.click(screen.getByRole('button', { name: 'Turn off' }))
    expect(await screen.findByRole('button', { name: 'Set up' })).toBeTruthy()
  })

  it('is not for accounts that sign in with Twitch', async () => {
    await open({ ...off, isAvailable: false })
    expect(screen.getByText(/You sign in with Twitch/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Set up' })).toBeNull()
  })
})

describe('the local sign-in', () => {
  const wantsCode = (code: string | undefined) =>
    HttpResponse.json(
      { code: code === undefined ? 'second_factor_required' : 'second_factor_invalid' },
      { status: 401 },
    )

  it('asks for the code after the password, once more when it is wrong', async () => {
    const onDone = vi.fn()
    const sent: unknown[] = []
    server.use(
      replies(authContract.local, async (request) => {
        const body = (await request.json()) as { code?: string }
        sent.push(body)
        if (body.code !== '123456') return wantsCode(body.code)
        return HttpResponse.json({ success: true, message: 'ok', user: sampleUser() })
      }),
    )
    const { user } = await renderPart(<LocalSignIn onDone={onDone} />)
    await user.type(screen.getByLabelText('Username'), 'boss')
    await user.type(screen.getByLabelText('Password'), 'secret')
    await user.click(screen.getByRole('button', { name: 'Login' }))
    const code = await screen.findByLabelText('Code')
    expect(toastStore.get().toasts).toEqual([])
    expect(document.activeElement).toBe(code)
    await user.type(code, '999999{Enter}')
    expect(await screen.findByText('Wrong code', { selector: '[role=alert]' })).toBeTruthy()
    await user.clear(screen.getByLabelText('Code'))
    await user.type(screen.getByLabelText('Code'), '123456{Enter}')
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    expect(sent.at(-1)).toEqual({ username: 'boss', password: 'secret', code: '123456' })
  })

  it('leads back to the password', async () => {
    server.use(replies(authContract.local, () => wantsCode(undefined)))
    const { user } = await renderPart(<LocalSignIn onDone={() => undefined} />)
    await user.type(screen.getByLabelText('Username'), 'boss')
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Back to username and password' }))
    expect(screen.getByLabelText('Password')).toBeTruthy()
  })
})

describe('a call that wants a confirmation', () => {
  const message = "Enter a code from your authenticator app to confirm it's you"
  const done = { success: true, message: 'Done', totalRemoved: 3, usersAffected: 1 } as const
  let keys: (string | null)[] = []
  let isConfirmed = false

  beforeEach(() => {
    keys = []
    isConfirmed = false
    server.use(
      replies(adminGrantsContract.removeAllRedCoin, (request) => {
        keys.push(request.headers.get('idempotency-key'))
        return isConfirmed
          ? HttpResponse.json(done)
          : HttpResponse.json({ code: 'confirmation_needed', message }, { status: 403 })
      }),
      replies(secondFactorContract.confirmSession, async (request) => {
        const { code } = (await request.json()) as { code: string }
        if (code !== '123456') {
          const refusal = { code: 'second_factor_invalid', message: 'This code is not valid' }
          return HttpResponse.json(refusal, { status: 401 })
        }
        isConfirmed = true
        return HttpResponse.json({
          success: true,
          message: 'Confirmed for 5 minutes',
          confirmedUntil: '2026-11-20T10:05:00.000Z',
        })
      }),
    )
  })
  /** It takes presses a moment after it is there. */
  const question = async () => {
    const dialog = await screen.findByRole('dialog', { name: "Confirm it's you" })
    await waitFor(() => expect(getComputedStyle(dialog).pointerEvents).not.toBe('none'))
    return within(dialog)
  }
  const send = () =>
    callConfirmed(adminGrantsContract.removeAllRedCoin, { idempotencyKey: 'one-intent' })

  it('asks for a code, says when it is wrong, and goes through once it is right', async () => {
    const { user } = await open(on)
    const answer = send()
    const dialog = await question()
    await user.type(dialog.getByLabelText('Code'), '000000')
    await user.click(dialog.getByRole('button', { name: 'Confirm' }))
    expect(await dialog.findByText('This code is not valid')).toBeTruthy()
    await user.clear(dialog.getByLabelText('Code'))
    await user.type(dialog.getByLabelText('Code'), '123456')
    await user.click(dialog.getByRole('button', { name: 'Confirm' }))
    expect(await answer).toEqual(done)
    // The same intent, so that it takes effect once.
    expect(keys).toEqual(['one-intent', 'one-intent'])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('asks once for calls that come at the same time', async () => {
    const { user } = await open(on)
    const both = Promise.all([send(), send()])
    const dialog = await question()
    await user.type(dialog.getByLabelText('Code'), '123456')
    await user.click(dialog.getByRole('button', { name: 'Confirm' }))
    expect(await both).toEqual([done, done])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('goes on asking when the answer to an earlier question comes late', async () => {
    let tell = () => {}
    const held = new Promise<void>((resolve) => {
      tell = resolve
    })
    const { user, queryClient } = await open(on)
    const given = send().catch(() => undefined)
    const confirmed = vi.fn()
    server.use(
      replies(secondFactorContract.confirmSession, async () => {
        confirmed()
        await held
        const confirmedUntil = '2026-11-20T10:05:00.000Z'
        return HttpResponse.json({ success: true, message: 'Confirmed', confirmedUntil })
      }),
    )
    await user.type((await question()).getByLabelText('Code'), '123456')
    await user.click((await question()).getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(confirmed).toHaveBeenCalled())
    await user.keyboard('{Escape}')
    await given
    const again = send().catch((error: unknown) => error)
    await question()
    tell()
    await waitFor(() => expect(queryClient.isMutating()).toBe(0))
    // Given up, it fails with the sentence of the server.
    await user.click((await question()).getByRole('button', { name: 'Cancel' }))
    expect(await again).toMatchObject({ serverMessage: message })
    expect(keys).toHaveLength(2)
  })
})
