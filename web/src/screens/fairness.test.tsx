// The Fairness page: how it works for everyone, own openings with their checks, the log.

import {
  authContract,
  deliveryRecordContract,
  drawLogContract,
  fairnessContract,
  packsContract,
} from '@redpack/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import {
  commitmentAt,
  keepFiles,
  listOf,
  log,
  opening,
  proofOf,
  readable,
  table,
  textOf,
} from '../../test/fairness-samples.ts'
import { servesLog } from '../../test/log-samples.ts'
import { answers, mockServer, refuses } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'

/** Without the live region, which says the same words a moment later. */
const inMain = () => within(screen.getByRole('main'))
const fair = 'This draw is fair: every check passed.'

const deliveries = {
  ...{ won: 320, addressWanted: 2, ready: 4, sent: 300, delivered: 10, returned: 2 },
  ...{ lapsed: 1, declined: 1, withdrawn: 0, overdue: 2, medianDaysToSent: 6 },
}

const server = mockServer(
  answers(authContract.me, sampleUser()),
  answers(deliveryRecordContract.deliveries, deliveries),
  answers(fairnessContract.chain, {
    ...{ chainId: 1, index: 1, commitment: commitmentAt(1), ended: [] },
  }),
  answers(fairnessContract.table, table),
  answers(packsContract.types, []),
  listOf(opening()),
  answers(drawLogContract.observed, { packTypes: [] }),
  ...servesLog(() => log),
)

async function verify() {
  const app = await renderApp('/fairness')
  await app.user.click(await screen.findByRole('button', { name: /^Verify/ }))
  return { ...app, dialog: within(await screen.findByRole('dialog', { name: 'Verify this draw' })) }
}

describe('the Fairness page', () => {
  it('explains draws to visitors and asks nothing that needs a session', async () => {
    server.use(refuses(authContract.me, 401, 'Unauthorized'))
    const { user } = await renderApp('/fairness')
    expect(await screen.findByRole('heading', { name: 'How a draw stays fair' })).toBeTruthy()
    expect(screen.getByText('Check a saved file')).toBeTruthy()
    await user.click(screen.getByRole('tab', { name: 'Mine' }))
    expect(await screen.findByText(/Sign in to see your openings/)).toBeTruthy()
  })

  it('asks nobody to sign in whose session could not be read', async () => {
    server.use(refuses(authContract.me, 503, 'Unavailable'))
    await renderApp('/fairness?tab=mine')
    expect(await screen.findByText('We could not check who is signed in')).toBeTruthy()
    expect(screen.queryByText(/Sign in to see/)).toBeNull()
  })

  it('shows what suits whoever looks where the address names no view that there is', async () => {
    await renderApp('/fairness?tab=draws')
    expect(await screen.findByText('Won: Coffee Mug')).toBeTruthy()
  })

  it('shows players their openings, each checked, and what the next one uses', async () => {
    await renderApp('/fairness')
    expect(await screen.findByText('Won: Coffee Mug')).toBeTruthy()
    expect((await screen.findByText('Proven')).getAttribute('data-proven')).toBe('true')
    expect(await screen.findByText(commitmentAt(1))).toBeTruthy()
    expect(screen.getByText('Commitment, chain 1, index 1')).toBeTruthy()
    expect(document.querySelector('[data-withheld="0"]')).toBeTruthy()
  })

  it('says of an opening that does not hold', async () => {
    server.use(
      listOf(opening({ redCoinEarned: 1 }), opening({ id: 32, commitment: 'ab'.repeat(32) })),
    )
    await renderApp('/fairness')
    expect(await screen.findAllByText('Check failed')).toHaveLength(2)
  })

  it('shows the log in its own tab', async () => {
    await renderApp('/fairness?tab=log')
    expect(await screen.findByText(/Your browser checked this page/)).toBeTruthy()
    expect(await screen.findByText(/^312 of 318 sent, median 6 days, 2 overdue/)).toBeTruthy()
  })
})

describe('a proof', () => {
  it('is verified in the browser, check by check', async () => {
    server.use(answers(fairnessContract.proof, proofOf()))
    const { dialog } = await verify()
    expect(await dialog.findByText(fair)).toBeTruthy()
    const steps = document.querySelectorAll('[data-step][data-ok="true"]')
    expect([...steps].map((step) => step.getAttribute('data-step'))).toEqual([
      ...['table', 'seed', 'result', 'pay', 'log'],
    ])
  })

  it('that does not hold fails, and the failing checks are named', async () => {
    server.use(answers(fairnessContract.proof, proofOf({ redCoinEarned: 7 })))
    const { dialog } = await verify()
    expect(await dialog.findByText(/This draw failed a check/)).toBeTruthy()
    const steps = document.querySelectorAll('[data-step][data-ok="false"]')
    expect([...steps].map((step) => step.getAttribute('data-step'))).toEqual(['pay', 'log'])
  })

  it('waits for its place in the log', async () => {
    server.use(answers(fairnessContract.proof, { ...proofOf(), log: null }))
    const { dialog } = await verify()
    expect(await dialog.findByText(/Its entry in the public log was not checked/)).toBeTruthy()
  })

  it('is given as a file that the page then verifies without the server', async () => {
    const files = keepFiles()
    server.use(answers(fairnessContract.proof, proofOf()))
    const { user, dialog } = await verify()
    await user.click(await dialog.findByRole('button', { name: 'Download the proof' }))
    const text = await textOf(files[0]!)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('tab', { name: 'How' }))
    await user.upload(
      await screen.findByLabelText('Saved file'),
      readable(new File([text], 'proof.json'), text),
    )
    expect(await inMain().findByText(fair)).toBeTruthy()
  })

  it('that is only a part of its file is refused', async () => {
    const { user } = await renderApp('/fairness?tab=how')
    const file = readable(new File(['{'], 'x.json', { type: 'application/json' }), '{')
    await user.upload(await screen.findByLabelText('Saved file'), file)
    expect(await screen.findByText(/This file is not JSON/)).toBeTruthy()
  })
})
