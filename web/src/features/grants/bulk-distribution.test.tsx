// Bulk Distribution: a file is looked at, applied and reversed; everyone is given the same.

import {
  adminBatchesContract,
  adminGrantsContract,
  adminUsersContract,
  authContract,
  type Batch,
  themeContract,
  themeDefault,
} from '@redpack/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { testNow } from '../../../../tools/test-clock.ts'
import { records, type Sent } from '../../../test/catalogue-samples.ts'
import {
  batchId,
  card,
  centerAnswers,
  isEnabled,
  onePage,
  recordsGrants,
  reversalId,
  sampleBatch,
  samplePreview,
  sampleRow,
} from '../../../test/grant-samples.ts'
import { answers, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { renderApp, renderPart } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { expectDone, expectFailed, lastToast } from '../../../test/toasts.ts'
import { DistributePanel } from './distribute-panel.tsx'

const server = mockServer()
const applied = {
  success: true as const,
  message: 'Distributed 2 × Crown Pack to 1 user',
  batchId,
  processedCount: 1,
  failedCount: 1,
  errors: [],
}
let sent: Sent[] = []

beforeEach(() => {
  sent = []
  server.use(
    ...centerAnswers,
    answers(adminGrantsContract.bulkPacks, applied),
    answers(adminGrantsContract.bulkRedCoin, applied),
    answers(adminBatchesContract.detail, {
      batch: sampleBatch(),
      rows: samplePreview().rows,
      ...onePage,
    }),
  )
})

async function openBulk() {
  const rendered = await renderPart(<DistributePanel />)
  await rendered.user.click(await screen.findByRole('tab', { name: 'Bulk Distribution' }))
  await screen.findByRole('heading', { name: 'Batches' })
  return rendered
}

const packsCard = () => card('Bulk CSV Distribution')
const coinsCard = () => card('Bulk RedCoin Distribution')
const csv = (name = 'quiz.csv') => new File(['username,quantity\nlunafox,2'], name)

type Opened = Awaited<ReturnType<typeof openBulk>>
async function choosePacks({ user }: Opened) {
  await user.selectOptions(packsCard().getByLabelText('Pack type'), 'Crown Pack')
  await user.upload(packsCard().getByLabelText('CSV file with packs'), csv())
}

/** What the browser sends as the form of a call. */
function formsTo(path: string): FormData[] {
  return vi
    .mocked(fetch)
    .mock.calls.filter(([url]) => url === path)
    .map(([, init]) => init?.body as FormData)
}

function fileIn(form: FormData | undefined): string | undefined {
  const file = form?.get('file')
  return file instanceof File ? file.name : undefined
}

describe('the file with packs', () => {
  it('is looked at row by row, then applied, then has its receipt', async () => {
    const opened = await openBulk()
    vi.spyOn(globalThis, 'fetch')
    expect(packsCard().getByText('username,quantity')).toBeTruthy()
    await choosePacks(opened)
    const rows = within(await screen.findByRole('region', { name: 'Verdict for each row' }))
    expect(rows.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'RowUser and verdictAmount',
      '2lunafoxLuna FoxOK2then 5',
      '3nobodyUnknown user2',
    ])
    const [preview] = formsTo(adminBatchesContract.preview.path)
    expect([preview?.get('kind'), preview?.get('packTypeId')]).toEqual(['packs', '1'])
    expect(fileIn(preview)).toBe('quiz.csv')
    await opened.user.click(screen.getByRole('switch', { name: 'Only rows with problems' }))
    expect(rows.getAllByRole('row')).toHaveLength(2)

    const give = 'Distribute 2 × Crown Pack to 1 user'
    await opened.user.click(screen.getByRole('button', { name: give }))
    const receipt = within(await screen.findByRole('region', { name: 'Receipt' }))
    expect(receipt.getByText(/This matches the preview/)).toBeTruthy()
    await expectDone(applied.message)
    const [form] = formsTo(adminGrantsContract.bulkPacks.path)
    expect(form?.get('packTypeId')).toBe('1')
    expect(receipt.getByRole('link', { name: 'Download CSV' }).getAttribute('href')).toBe(
      `/api/admin/batches/${batchId}/receipt.csv`,
    )
    await opened.user.click(receipt.getByRole('button', { name: 'Show receipt' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('The Boss (@boss)')).toBeTruthy()
    expect(dialog.getByText('1 applied, 1 skipped')).toBeTruthy()
  })

  it('gives nothing a second time, says so, and is granted anew after a question', async () => {
    const again = {
      ...applied,
      message: 'This file was already applied. Nothing was given.',
      processedCount: 0,
      alreadyApplied: true as const,
      appliedAt: '2026-11-21T10:00:00.000Z',
    }
    server.use(answers(adminGrantsContract.bulkPacks, again))
    const opened = await openBulk()
    vi.spyOn(globalThis, 'fetch')
    await choosePacks(opened)
    await opened.user.click(await screen.findByRole('button', { name: /^Distribute 2 × Crown/ }))
    expect(await packsCard().findByText(/Nothing was given\. It was applied as batch/)).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Receipt' })).toBeNull()
    expect(lastToast()?.title).not.toBe('Success')
    server.use(answers(adminGrantsContract.bulkPacks, applied))
    await opened.user.click(packsCard().getByRole('button', { name: 'Apply again' }))
    const question = within(await screen.findByRole('alertdialog'))
    expect(question.getByText(/already applied as batch/)).toBeTruthy()
    await opened.user.click(question.getByRole('button', { name: 'Apply again' }))
    expect(await screen.findByRole('region', { name: 'Receipt' })).toBeTruthy()
    const sent = formsTo(adminGrantsContract.bulkPacks.path)
    expect(sent.map((form) => form.get('applyAgain'))).toEqual([null, 'true'])
  })

  it('is checked again when it would reach others than those who were shown', async () => {
    const looks = ['a', 'b'].map((digit) => samplePreview({ usersHash: digit.repeat(64) }))
    const changed = { code: 'changed_meanwhile', message: 'Users have changed. Check it again.' }
    server.use(
      replies(adminBatchesContract.preview, () => HttpResponse.json(looks.shift())),
      replies(adminGrantsContract.bulkPacks, async (request) => {
        const isNew = (await request.formData()).get('usersHash') === 'b'.repeat(64)
        return isNew ? HttpResponse.json(applied) : HttpResponse.json(changed, { status: 409 })
      }),
    )
    const opened = await openBulk()
    await choosePacks(opened)
    const give = { name: /^Distribute 2 × Crown/ }
    await opened.user.click(await screen.findByRole('button', give))
    await expectFailed('Bulk Distribution Failed', changed.message)
    expect(screen.queryByRole('region', { name: 'Receipt' })).toBeNull()
    await opened.user.click(await screen.findByRole('button', give))
    expect(await screen.findByRole('region', { name: 'Receipt' })).toBeTruthy()
  })

  it('must be a CSV file, chosen or dropped, together with a pack type', async () => {
    const { user } = await openBulk()
    const input = packsCard().getByLabelText<HTMLInputElement>('CSV file with packs')
    expect(input.accept).toBe('.csv,text/csv')
    const place = input.closest('label') as HTMLElement
    fireEvent.drop(place, { dataTransfer: { files: [csv('names.txt')] } })
    expect(packsCard().getByText('Only CSV files are allowed')).toBeTruthy()
    expect(packsCard().queryByText('names.txt')).toBeNull()
    const sentence = 'Please select a pack type and CSV file'
    await user.click(packsCard().getByRole('button', { name: 'Distribute Packs' }))
    expect(packsCard().getByText(sentence).getAttribute('role')).toBe('alert')
    await expectFailed('Bulk Distribution Failed', sentence)
    fireEvent.drop(place, { dataTransfer: { files: [csv('NAMES.CSV')] } })
    expect(packsCard().getByText('NAMES.CSV')).toBeTruthy()
    await user.click(packsCard().getByRole('button', { name: 'Distribute Packs' }))
    expect(packsCard().getByText(sentence).getAttribute('role')).toBe('alert')
    expect(screen.queryByRole('region', { name: 'Verdict for each row' })).toBeNull()
  })

  it('says why it cannot be read or applied, and when it was applied before', async () => {
    server.use(refuses(adminBatchesContract.preview, 400, 'The CSV file is not UTF-8 text'))
    const opened = await openBulk()
    await choosePacks(opened)
    expect(await screen.findByText('The CSV file is not UTF-8 text')).toBeTruthy()
    server.use(
      answers(
        adminBatchesContract.preview,
        samplePreview({
          processedCount: 0,
          failedCount: 2,
          total: 0,
          rows: [
            sampleRow({ verdict: 'renamed', reason: 'renamed to luna', after: null }),
            sampleRow({ row: 3, verdict: 'bad_number', reason: 'below 1', amount: 0, after: null }),
          ],
          appliedBefore: { batchId, createdAt: '2026-11-21T10:00:00.000Z' },
        }),
      ),
    )
    await opened.user.click(packsCard().getByRole('button', { name: 'Choose another file' }))
    await choosePacks(opened)
    expect(await screen.findByText('No row of this file can be applied.')).toBeTruthy()
    expect(screen.getByText(/This file was already applied on/)).toBeTruthy()
    expect(screen.getByText('renamed to luna')).toBeTruthy()
    expect(screen.getByText('below 1')).toBeTruthy()
    const button = packsCard().getByRole('button', { name: /^Distribute/ })
    expect(isEnabled(button)).toBe(false)
  })
})

describe('the file with RedCoin', () => {
  it('needs no pack type, but a file', async () => {
    server.use(
      answers(
        adminBatchesContract.preview,
        samplePreview({ kind: 'redcoin', packType: null, total: 1200 }),
      ),
    )
    const { user } = await openBulk()
    expect(coinsCard().getByText('username,amount')).toBeTruthy()
    await user.click(coinsCard().getByRole('button', { name: 'Distribute RedCoin' }))
    expect(coinsCard().getByText('Please select a CSV file')).toBeTruthy()
    vi.spyOn(globalThis, 'fetch')
    await user.upload(coinsCard().getByLabelText('CSV file with RedCoin'), csv())
    const give = 'Distribute 1,200 RedCoin to 1 user'
    await user.click(await screen.findByRole('button', { name: give }))
    expect(await screen.findByRole('region', { name: 'Receipt' })).toBeTruthy()
    const [form] = formsTo(adminGrantsContract.bulkRedCoin.path)
    expect([form?.get('packTypeId'), fileIn(form)]).toEqual([null, 'quiz.csv'])
  })
})

describe('the address of a receipt', () => {
  it('opens it where it says, follows what is looked at, and forgets it once it is closed', async () => {
    const asked: string[] = []
    server.use(
      answers(themeContract.theme, themeDefault),
      answers(authContract.me, sampleUser({ role: 'admin' })),
      replies(adminBatchesContract.detail, (request) => {
        const query = new URL(request.url).searchParams
        asked.push(`${query.get('rows')} ${query.get('page')}`)
        const batch = sampleBatch({ failedCount: 3 })
        const rows = samplePreview().rows
        return HttpResponse.json({ batch, rows, total: 120, totalPages: 3, page: 1, limit: 50 })
      }),
    )
    const where = `tab=distribute&view=bulk&batch=${batchId}&rows=problems&rowPage=2`
    const { user, router } = await renderApp(`/admin?${where}`)
    const receipt = within(await screen.findByRole('dialog', { name: 'Receipt' }))
    await receipt.findByRole('region', { name: 'Rows of the batch' })
    expect(asked).toEqual(['problems 2'])
    expect(receipt.getByRole('switch').getAttribute('aria-checked')).toBe('true')
    const second = receipt.getByRole('button', { name: 'Page 2' })
    expect(second.getAttribute('aria-current')).toBe('page')

    await user.click(receipt.getByRole('button', { name: 'Page 3' }))
    await waitFor(() => expect(asked.at(-1)).toBe('problems 3'))
    expect(String(router.state.location.search.rowPage)).toBe('3')
    await user.click(receipt.getByRole('switch'))
    await waitFor(() => expect(asked.at(-1)).toBe('all 1'))
    const search = () => router.state.location.search
    expect([search().rows, search().rowPage]).toEqual([undefined, undefined])
    await user.click(receipt.getByRole('switch'))
    await waitFor(() => expect(search().rows).toBe('problems'))
    await user.click(receipt.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Receipt' })).toBeNull())
    expect([search().batch, search().rows]).toEqual([undefined, undefined])
  })
})

describe('a failure of a file', () => {
  it.each([
    [packsCard, 'CSV file with packs', 'Failed to process bulk pack distribution'],
    [coinsCard, 'CSV file with RedCoin', 'Failed to process bulk RedCoin distribution'],
  ])(
    'has its title, and the sentence of the server or its own (case %#)',
    async (cardOf, label, fallback) => {
      const { user } = await openBulk()
      const packType = cardOf().queryByLabelText('Pack type')
      if (packType) await user.selectOptions(packType, 'Crown Pack')
      await user.upload(cardOf().getByLabelText(label), csv())
      const button = await screen.findByRole('button', { name: /^Distribute \d/ })
      const noAnswer = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))
      await user.click(button)
      await expectFailed('Bulk Distribution Failed', fallback)
      noAnswer.mockRestore()
      for (const endpoint of [adminGrantsContract.bulkPacks, adminGrantsContract.bulkRedCoin]) {
        server.use(refuses(endpoint, 404, 'Pack type not found'))
      }
      await waitFor(() => expect(isEnabled(button)).toBe(true))
      await user.click(button)
      await expectFailed('Bulk Distribution Failed', 'Pack type not found')
    },
  )
})

describe('the batches', () => {
  const serve = (...batches: Batch[]) =>
    server.use(answers(adminBatchesContract.list, { batches, ...onePage }))

  it('say whom they reached and why; one that is reversed cannot be reversed again', async () => {
    const grant = { fileName: null, fileHash: null, failedCount: 0 } as const
    const id = (digit: string) => batchId.replaceAll('1', digit)
    serve(
      sampleBatch({ id: reversalId, reverses: batchId, fileName: null, total: -2 }),
      sampleBatch({ reversedBy: reversalId, createdAt: new Date(testNow()).toISOString() }),
      sampleBatch({ ...grant, id: id('7'), recipients: 'everyone', description: 'Anniversary' }),
      sampleBatch({ ...grant, id: id('8'), recipients: 'named' }),
    )
    await openBulk()
    for (const text of [
      'Reversal of a grant by file',
      '−2 × Crown Pack',
      'Reversed',
      'just now',
      'Anniversary',
    ]) {
      expect(await screen.findByText(text)).toBeTruthy()
    }
    const names = screen
      .getAllByRole('button', { name: /^Reverse / })
      .map((button) => button.getAttribute('aria-label'))
    expect(names).toEqual(['Reverse Grant to all users', 'Reverse Grant to named users'])
  })

  it('are narrowed and paged by the address, and the way back restores both', async () => {
    const asked: string[] = []
    server.use(
      replies(adminBatchesContract.list, (request) => {
        const query = new URL(request.url).searchParams
        asked.push(`${query.get('kind')} ${query.get('recipients')} ${query.get('page')}`)
        return HttpResponse.json({ batches: [sampleBatch()], ...onePage, total: 30, totalPages: 3 })
      }),
    )
    server.use(
      answers(themeContract.theme, themeDefault),
      answers(authContract.me, sampleUser({ id: 99, role: 'admin' })),
    )
    const { user, router } = await renderApp('/admin?tab=distribute&view=bulk')
    await screen.findByText('quiz.csv')
    await user.selectOptions(screen.getByLabelText('Recipients'), 'All users')
    await waitFor(() => expect(asked.at(-1)).toBe('all everyone 1'))
    await user.click(screen.getByRole('button', { name: 'Page 2' }))
    await waitFor(() => expect(asked.at(-1)).toBe('all everyone 2'))
    expect(router.state.location.search).toMatchObject({ recipients: 'everyone', page: 2 })
    router.history.back()
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty('page'))
    router.history.back()
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLSelectElement>('Recipients').value).toBe('all'),
    )
    await router.navigate({ to: '.', search: { tab: 'distribute', view: 'bulk', page: 4 } })
    await waitFor(() => expect(router.state.location.search).toMatchObject({ page: 3 }))
  })

  it('are reversed after asking, and who has spent it is named', async () => {
    serve(sampleBatch())
    server.use(
      records(
        adminBatchesContract.reverse,
        {
          success: true,
          message: 'Took back 1 of 2 × Crown Pack',
          batchId: reversalId,
          processedCount: 1,
          totalTaken: 1,
          shortfall: 1,
          spentCount: 1,
          spent: [{ userId: 7, username: 'lunafox', given: 2, taken: 1 }],
        },
        sent,
      ),
    )
    const { user } = await openBulk()
    await user.click(await screen.findByRole('button', { name: 'Reverse quiz.csv' }))
    const question = within(await screen.findByRole('alertdialog'))
    expect(question.getByText(/takes back 2 × Crown Pack from 1 user/)).toBeTruthy()
    expect(sent).toEqual([])
    await user.click(question.getByRole('button', { name: 'Reverse' }))
    const dialog = within(
      await screen.findByRole('dialog', { name: 'Not everything could be taken back' }),
    )
    expect(dialog.getByText('lunafox')).toBeTruthy()
    expect(dialog.getByText('1 of 2 taken back')).toBeTruthy()
    expect(sent).toMatchObject([
      { path: `/api/admin/batches/${batchId}/reverse`, key: expect.any(String) },
    ])
  })

  it('to all users are reversed by who may act on everybody', async () => {
    serve(sampleBatch(), sampleBatch({ id: reversalId, fileName: null, recipients: 'everyone' }))
    server.use(
      answers(authContract.me, sampleUser({ role: 'admin' })),
      answers(adminUsersContract.powers, { mayActOnEverybody: false, mayChangeSuperUsers: false }),
    )
    await openBulk()
    const all = await screen.findByRole('button', { name: 'Reverse Grant to all users' })
    await waitFor(() => expect(isEnabled(all)).toBe(false))
    expect(all.title).toBe('Only a super user can do this')
    expect(isEnabled(screen.getByRole('button', { name: 'Reverse quiz.csv' }))).toBe(true)
  })

  it('say plainly Error when a reversal fails', async () => {
    serve(sampleBatch())
    const message = 'This batch has been reversed already'
    server.use(refuses(adminBatchesContract.reverse, 409, message))
    const { user } = await openBulk()
    await user.click(await screen.findByRole('button', { name: 'Reverse quiz.csv' }))
    await user.click(await screen.findByRole('button', { name: 'Reverse' }))
    await expectFailed('Error', message)
  })
})

describe('Grant to all users', () => {
  it('gives packs, or RedCoin above 0 with a reason, after asking', async () => {
    server.use(...recordsGrants(sent))
    const { user } = await openBulk()
    const all = card('Grant to all users')
    const button = all.getByRole('button', { name: 'Grant to all users' })
    expect(isEnabled(button)).toBe(false)
    await user.selectOptions(all.getByLabelText('Pack type'), 'Crown Pack')
    await user.click(button)
    expect(await screen.findByText('Give 1 × Crown Pack to each of all 28 users?')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    await user.click(all.getByRole('radio', { name: 'RedCoin' }))
    const amount = all.getByLabelText('Amount for each user')
    fireEvent.change(all.getByLabelText('Reason'), { target: { value: 'Party' } })
    for (const value of ['0', '-5', '']) {
      fireEvent.change(amount, { target: { value } })
      expect([value, isEnabled(button)]).toEqual([value, false])
    }
    fireEvent.change(amount, { target: { value: '50' } })
    await user.click(button)
    await user.click(await screen.findByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(sent.map(({ body }) => body)).toEqual([
      { allUsers: true, packTypeId: 1, quantity: 1 },
      { allUsers: true, amount: 50, description: 'Party' },
    ])
  })

  it('fails with its own sentence when the server has none', async () => {
    const { user } = await openBulk()
    const all = card('Grant to all users')
    await user.click(all.getByRole('radio', { name: 'RedCoin' }))
    fireEvent.change(all.getByLabelText('Reason'), { target: { value: 'Party' } })
    await user.click(all.getByRole('button', { name: 'Grant to all users' }))
    const noAnswer = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))
    await user.click(await screen.findByRole('button', { name: 'Confirm' }))
    await expectFailed('RedCoin Operation Failed', 'Failed to distribute RedCoins')
    noAnswer.mockRestore()
  })
})
