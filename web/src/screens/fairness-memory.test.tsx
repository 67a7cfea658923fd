// What the browser adds to fairness: a seed of its own, a memory, and a look into the log.

import {
  authContract,
  drawLogContract,
  fairnessContract,
  packsContract,
  type SeedsResponse,
} from '@redpack/contract'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import {
  keepFiles,
  listOf,
  log,
  opening,
  proofOf,
  seeds,
  serverSeed,
  table,
  textOf,
} from '../../test/fairness-samples.ts'
import { sampleLog, servesLog } from '../../test/log-samples.ts'
import { answers, mockServer, refuses, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'

const server = mockServer(
  answers(authContract.me, sampleUser()),
  answers(fairnessContract.seeds, seeds(0)),
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

describe('the client seed of this browser', () => {
  it('is sent by itself while the server has put in one of its own', async () => {
    const sent: { clientSeed: string }[] = []
    let current = seeds(0, { clientSeedFrom: 'server' })
    server.use(
      replies(fairnessContract.seeds, () => HttpResponse.json(current)),
      replies(fairnessContract.changeClientSeed, async (request) => {
        const body = (await request.json()) as { clientSeed: string }
        sent.push(body)
        current = seeds(0, body)
        return HttpResponse.json(current)
      }),
    )
    await renderApp('/fairness')
    expect(await screen.findByText(/Your browser mixed its own random seed into/)).toBeTruthy()
    expect(sent).toHaveLength(1)
    expect(sent[0]?.clientSeed).toMatch(/^[0-9a-f]{32}$/)
    expect(screen.getByLabelText<HTMLInputElement>('Client seed').value).toBe(sent[0]?.clientSeed)
  })

  it('that could not be sent is told, and nothing else breaks', async () => {
    server.use(
      answers(fairnessContract.seeds, seeds(0, { clientSeedFrom: 'server' })),
      refuses(fairnessContract.changeClientSeed, 500, 'Nothing works'),
    )
    await renderApp('/fairness')
    expect(await screen.findByText(/could not send a client seed of its own/)).toBeTruthy()
    expect(screen.getByLabelText('Client seed')).toBeTruthy()
  })

  it('that the server put in for draws that were made is called what it is', async () => {
    server.use(answers(fairnessContract.seeds, seeds(4, { clientSeedFrom: 'server' })))
    await renderApp('/fairness')
    expect(await screen.findByText(/so the server knew both seeds/)).toBeTruthy()
  })
})

/** Shows the page once as the seeds are, and then as they are shown later. */
async function seeLater(first: SeedsResponse, later: SeedsResponse) {
  server.use(answers(fairnessContract.seeds, first))
  const { unmount } = await renderApp('/fairness')
  await screen.findByText(first.next.serverSeedHash)
  unmount()
  server.use(answers(fairnessContract.seeds, later))
  return renderApp('/fairness')
}

describe('what this browser remembers', () => {
  it.each<[string, SeedsResponse, SeedsResponse, string]>([
    [
      'another commitment of the pair in use',
      seeds(3),
      seeds(3, { serverSeedHash: 'ee'.repeat(32) }),
      'The commitment to your server seed was exchanged',
    ],
    [
      'another commitment of the next pair',
      seeds(3),
      { ...seeds(3), next: { serverSeedHash: 'ee'.repeat(32) } },
      'The commitment to your next server seed was exchanged',
    ],
    [
      'a pair in use that was never announced',
      seeds(3),
      seeds(0, { id: 3, serverSeedHash: 'ee'.repeat(32) }),
      'Your seeds are not the ones that were announced',
    ],
    [
      'another client seed than the one packs were opened with',
      seeds(3),
      seeds(4, { clientSeed: 'theirs' }),
      'Your client seed was exchanged',
    ],
  ])('is not overruled by %s', async (_what, first, later, title) => {
    const { user } = await seeLater(first, later)
    const alarm = within(await screen.findByRole('alert', { name: title }))
    expect(alarm.getByText(/Packs cannot be opened here until you have seen this/)).toBeTruthy()
    await user.click(alarm.getByRole('button', { name: 'I have seen this' }))
    expect(await screen.findByText(/You have seen this/)).toBeTruthy()
  })

  it.each<[string, SeedsResponse, SeedsResponse]>([
    ['more packs opened', seeds(3), seeds(9)],
    [
      'a client seed chosen elsewhere before the first pack',
      seeds(0),
      seeds(0, { clientSeed: 'x' }),
    ],
    [
      'the announced pair in use',
      seeds(3),
      {
        active: { ...seeds(0).active, id: 3, serverSeedHash: 'b2'.repeat(32) },
        next: { serverSeedHash: 'c3'.repeat(32) },
      },
    ],
  ])('agrees with %s', async (_what, first, later) => {
    await seeLater(first, later)
    await screen.findByText(later.next.serverSeedHash)
    expect(screen.queryByText(/Packs cannot be opened here/)).toBeNull()
  })

  it('lets pairs go by that were used and rotated on another device', async () => {
    server.use(listOf(opening({ seedPairId: 3, serverSeedHash: 'b2'.repeat(32) })))
    const later = {
      active: { ...seeds(0).active, id: 4, serverSeedHash: 'c3'.repeat(32) },
      next: { serverSeedHash: 'd4'.repeat(32) },
    }
    await seeLater(seeds(3), later)
    await screen.findByText('d4'.repeat(32))
    expect(screen.queryByText(/Packs cannot be opened here/)).toBeNull()
  })

  it('refuses a rotation whose seed or whose next pair is another, with the evidence', async () => {
    const files = keepFiles()
    server.use(
      answers(fairnessContract.seeds, seeds(8)),
      answers(fairnessContract.rotate, {
        revealed: {
          id: 2,
          serverSeed,
          serverSeedHash: 'a1'.repeat(32),
          clientSeed: 'before',
          openings: 8,
        },
        active: { ...seeds(0).active, id: 3, serverSeedHash: 'ee'.repeat(32) },
        next: { serverSeedHash: 'c3'.repeat(32) },
      }),
    )
    const { user } = await renderApp('/fairness')
    await user.click(await screen.findByRole('button', { name: 'Rotate seeds' }))
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Rotate' }),
    )
    const title = 'The revealed server seed is not the one committed to'
    const alarm = within(await screen.findByRole('alert', { name: title }))
    expect(
      screen.getByRole('alert', { name: 'The commitment to your next server seed was exchanged' }),
    ).toBeTruthy()
    await user.click(alarm.getByRole('button', { name: 'Save the evidence' }))
    const saved = JSON.parse(await textOf(files[0]!))
    expect(saved.title).toBe(title)
    expect(saved.evidence.remembered.next.serverSeedHash).toBe('b2'.repeat(32))
    expect(saved.evidence.answer.active.serverSeedHash).toBe('ee'.repeat(32))
  })

  it('fails a proof of seeds that are not the ones that were shown', async () => {
    server.use(
      answers(fairnessContract.seeds, seeds(20, { id: 1, serverSeedHash: 'a1'.repeat(32) })),
      answers(fairnessContract.proof, proofOf()),
    )
    const { dialog } = await verify()
    expect(await dialog.findByText('Failed: this draw does not add up')).toBeTruthy()
    expect(
      dialog.getByText(/names another commitment than the one this browser was shown/),
    ).toBeTruthy()
  })
})

describe('the log part of a proof', () => {
  it('waits until the opening is in the log', async () => {
    server.use(answers(fairnessContract.proof, { ...proofOf(), log: null }))
    const { dialog } = await verify()
    expect(
      await dialog.findByText('The draw is right; it is not in the public log yet'),
    ).toBeTruthy()
    expect(dialog.getByText(/Not in the log yet/)).toBeTruthy()
  })

  it('fails when the entry tells another opening', async () => {
    server.use(answers(fairnessContract.proof, { ...proofOf(), log: log.proof(1) }))
    const { dialog } = await verify()
    expect(await dialog.findByText('Failed: this draw does not add up')).toBeTruthy()
    expect(dialog.getByText('Entry 1 of 3 is not the one of this opening.')).toBeTruthy()
  })

  it('fails under the signature of another key than the one remembered', async () => {
    const other = sampleLog(log.entries)
    server.use(answers(fairnessContract.proof, { ...proofOf(), log: other.proof(2) }))
    const { dialog } = await verify()
    expect(await dialog.findByText(/not signed by the key of this log/)).toBeTruthy()
  })

  it('fails when the signed checkpoint is of another tree than the one remembered', async () => {
    const other = sampleLog([...log.entries.with(0, '{}'), '{}'], log.key)
    server.use(answers(fairnessContract.proof, { ...proofOf(), log: other.proof(2) }))
    await renderApp('/fairness')
    await screen.findByText(/Your browser checked this page/)
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: /^Verify/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Verify this draw' }))
    expect(
      await dialog.findByText(/The log of the proof is not the one this browser remembers/),
    ).toBeTruthy()
  })

  it('looks for the commitment in use in the log', async () => {
    const { user } = await renderApp('/fairness')
    const look = async () =>
      user.click(await screen.findByRole('button', { name: 'Check my commitment in the log' }))
    await look()
    expect(await screen.findByText('Your commitment is entry 1 of the signed log.')).toBeTruthy()
    cleanup()
    server.use(
      answers(fairnessContract.seeds, seeds(4, { id: 9, serverSeedHash: 'f9'.repeat(32) })),
    )
    await renderApp('/fairness')
    await look()
    expect(await screen.findByText(/is not in the log, although packs were drawn/)).toBeTruthy()
  })
})
