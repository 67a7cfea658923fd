// The Fairness page as visitors and players see it.

import { authContract, drawLogContract, fairnessContract, packsContract } from '@redpack/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import {
  keepFiles,
  listOf,
  log,
  opening,
  proofOf,
  readable,
  seeds,
  serverSeed,
  serverSeedHash,
  table,
  tableHash,
  textOf,
} from '../../test/fairness-samples.ts'
import { servesLog } from '../../test/log-samples.ts'
import { answers, mockServer, refuses, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { sha256 } from '../lib/digest.ts'

/** Without the live region, which says the same words a moment later. */
const inMain = () => within(screen.getByRole('main'))

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

describe('the Fairness page', () => {
  it('explains draws to visitors and asks nothing that needs a session', async () => {
    server.use(refuses(authContract.me, 401, 'Unauthorized'))
    await renderApp('/fairness')
    expect(await screen.findByRole('heading', { name: 'How a draw stays fair' })).toBeTruthy()
    expect(await screen.findByText(/Sign in to see your own seeds/)).toBeTruthy()
    expect(screen.queryByText('Your seeds')).toBeNull()
    expect(screen.getByText('Check a proof file')).toBeTruthy()
  })

  it('shows both commitments, the client seed and the nonce', async () => {
    server.use(answers(fairnessContract.seeds, seeds(8)))
    await renderApp('/fairness')
    expect(await screen.findByText('a1'.repeat(32))).toBeTruthy()
    expect(screen.getByText('b2'.repeat(32))).toBeTruthy()
    expect(screen.getByText('before')).toBeTruthy()
    expect(screen.getByText('Nonce').parentElement?.textContent).toContain('8')
  })
})

describe('the client seed', () => {
  it('can be changed while no pack was opened with it', async () => {
    const sent: unknown[] = []
    server.use(
      replies(fairnessContract.changeClientSeed, async (request) => {
        sent.push(await request.json())
        return HttpResponse.json({
          ...seeds(0),
          active: { ...seeds(0).active, clientSeed: 'my own words' },
        })
      }),
    )
    const { user } = await renderApp('/fairness')
    const field = await screen.findByLabelText<HTMLInputElement>('Client seed')
    await user.clear(field)
    await user.type(field, 'my own words')
    await user.click(screen.getByRole('button', { name: 'Save client seed' }))
    expect(await screen.findByText('Client seed saved')).toBeTruthy()
    expect(sent).toEqual([{ clientSeed: 'my own words' }])
    expect(field.value).toBe('my own words')
  })

  it('is refused with a sentence before it is sent', async () => {
    const { user } = await renderApp('/fairness')
    const field = await screen.findByLabelText('Client seed')
    await user.clear(field)
    await user.type(field, 'one:two')
    await user.click(screen.getByRole('button', { name: 'Save client seed' }))
    expect(await screen.findByText(/printable characters without ":"/)).toBeTruthy()
    expect(field.getAttribute('aria-invalid')).toBe('true')
  })

  it('is made anew by the browser on request', async () => {
    const { user } = await renderApp('/fairness')
    const field = await screen.findByLabelText<HTMLInputElement>('Client seed')
    await user.click(screen.getByRole('button', { name: 'Make a random seed' }))
    expect(field.value).toMatch(/^[0-9a-f]{32}$/)
  })

  it('stays as it is once a pack was opened with it', async () => {
    server.use(answers(fairnessContract.seeds, seeds(8)))
    await renderApp('/fairness')
    expect(await screen.findByText(/8 packs were opened with it/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Save client seed' })).toBeNull()
  })
})

describe('rotating', () => {
  it('asks first, sends a seed of this browser and shows what was revealed', async () => {
    const sent: { clientSeed?: string }[] = []
    server.use(
      answers(fairnessContract.seeds, seeds(8, { serverSeedHash })),
      replies(fairnessContract.rotate, async (request) => {
        sent.push((await request.json()) as { clientSeed?: string })
        return HttpResponse.json({
          revealed: { id: 2, serverSeed, serverSeedHash, clientSeed: 'before', openings: 8 },
          active: {
            ...seeds(0).active,
            id: 3,
            serverSeedHash: 'b2'.repeat(32),
            clientSeed: 'after',
          },
          next: { serverSeedHash: 'c3'.repeat(32) },
        })
      }),
    )
    const { user } = await renderApp('/fairness')
    await user.click(await screen.findByRole('button', { name: 'Rotate seeds' }))
    const question = within(await screen.findByRole('alertdialog'))
    expect(question.getByText(/behind 8 opened packs/)).toBeTruthy()
    expect(sent).toEqual([])
    await user.click(question.getByRole('button', { name: 'Rotate' }))
    expect(await screen.findByText(serverSeed)).toBeTruthy()
    expect(sent[0]?.clientSeed).toMatch(/^[0-9a-f]{32}$/)
    expect(screen.getByText('c3'.repeat(32))).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('Client seed').value).toBe('after')
    expect(screen.queryByText(/Packs cannot be opened here/)).toBeNull()
  })
})

describe('an opening', () => {
  it('says what it gave, by the name in its odds table', async () => {
    server.use(
      answers(packsContract.types, [
        {
          id: 1,
          name: 'Crown Pack',
          description: '',
          icon: 'crown',
          color: '#8B5CF6',
          imageUrl: null,
          imageData: null,
          imageType: null,
          oddsHash: tableHash,
        },
      ]),
    )
    await renderApp('/fairness')
    expect(await screen.findByText('Won: Coffee Mug')).toBeTruthy()
    expect(await screen.findByText(/Crown Pack/)).toBeTruthy()
    expect(screen.getByText('Seed revealed')).toBeTruthy()
  })

  it('is verified in the browser, check by check', async () => {
    server.use(answers(fairnessContract.proof, proofOf()))
    const { dialog } = await verify()
    expect(await dialog.findByText('Verified: this draw was fair')).toBeTruthy()
    expect(dialog.getAllByText(/Passed$/)).toHaveLength(6)
    expect(dialog.getByText(/in the range of “Coffee Mug”/)).toBeTruthy()
  })

  it('whose proof was forged fails, and the failing check is named', async () => {
    server.use(answers(fairnessContract.proof, proofOf({ serverSeedHash: 'ff'.repeat(32) })))
    const { dialog } = await verify()
    expect(await dialog.findByText('Failed: this draw does not add up')).toBeTruthy()
    expect(dialog.getAllByText(/Failed$/)).toHaveLength(1)
    expect(dialog.getByText('The revealed seed does not give the commitment.')).toBeTruthy()
  })

  it('waits for its server seed', async () => {
    server.use(answers(fairnessContract.proof, proofOf({ serverSeed: null })))
    const { dialog } = await verify()
    expect(
      await dialog.findByText('Not complete yet: the server seed is still secret'),
    ).toBeTruthy()
    expect(dialog.getAllByText(/Waiting$/)).toHaveLength(3)
    expect(dialog.getByText(/Entry 2 of 3 says the same/)).toBeTruthy()
  })

  it('gives its proof as a file that the page then verifies without the server', async () => {
    const files = keepFiles()
    server.use(answers(fairnessContract.proof, proofOf()))
    const { user, dialog } = await verify()
    await user.click(await dialog.findByRole('button', { name: 'Download proof' }))
    const kept = new File([await textOf(files[0]!)], 'proof.json')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.upload(screen.getByLabelText('Proof file'), readable(kept, await textOf(files[0]!)))
    expect(await inMain().findByText('Verified: this draw was fair')).toBeTruthy()
  })
})

describe('a proof file', () => {
  it('of the first version stays verifiable, without a word about the log', async () => {
    const {
      rewardPackTypeId: _,
      rewardPackQuantity: __,
      limited: ___,
      ...entry
    } = table.entries[0]!
    const old = { packTypeId: 1, entries: [entry] }
    const {
      soldOutPrizeId: _soldOut,
      clientSeedFrom: _from,
      scheme: _scheme,
      ...first
    } = opening({ tableHash: await sha256(new TextEncoder().encode(JSON.stringify(old))) })
    const text = JSON.stringify({ version: 1, opening: first, table: old })
    const { user } = await renderApp('/fairness')
    await user.upload(
      await screen.findByLabelText('Proof file'),
      readable(new File([text], 'old.json', { type: 'application/json' }), text),
    )
    expect(await inMain().findByText('Verified: this draw was fair')).toBeTruthy()
    expect(
      await screen.findByText(/Proofs of the first version carry nothing of the log/),
    ).toBeTruthy()
  })

  it.each([
    ['not JSON', '{', 'This file is not JSON.'],
    ['another JSON file', '{"version":3}', 'This file is not a proof of an opening.'],
  ])('that is %s is refused', async (_, text, sentence) => {
    const { user } = await renderApp('/fairness')
    const file = readable(new File([text], 'x.json', { type: 'application/json' }), text)
    await user.upload(await screen.findByLabelText('Proof file'), file)
    expect(await screen.findByText(sentence)).toBeTruthy()
  })
})
