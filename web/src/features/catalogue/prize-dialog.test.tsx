// The prize dialog in its two modes: what it starts with, what it sends, what it refuses.

import {
  adminEconomyContract,
  adminPackTypesContract,
  adminPrizesContract,
  adminUsersContract,
} from '@redpack/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  records,
  type Sent,
  samplePackEconomy,
  samplePackType,
  samplePrize,
} from '../../../test/catalogue-samples.ts'
import { expectCropClosed, middlePart, mockCanvas, openCrop } from '../../../test/crop.ts'
import { answers, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { fill, pressButton, textOf } from '../../../test/press.ts'
import { renderPart } from '../../../test/render.tsx'
import { expectDone, expectFailed } from '../../../test/toasts.ts'
import { currentReading, olderReading, PanelReadingContext } from '../../compat/panel-reading.ts'
import { cropPanel } from '../../ui/media/image-field.tsx'
import { sampleAdminUser, sampleUsersPage } from '../people/sample-users.fixture.ts'
import { PrizesPanel } from './prizes-panel.tsx'

const server = mockServer()
let sent: Sent[] = []

beforeEach(() => {
  sent = []
  server.use(
    answers(adminEconomyContract.preview, { packs: [] }),
    answers(adminPackTypesContract.list, [
      samplePackType(),
      samplePackType({ id: 2, name: 'Lucky Pack' }),
    ]),
    answers(adminPrizesContract.list, [samplePrize()]),
    records(adminPrizesContract.create, samplePrize(), sent),
    records(adminPrizesContract.update, samplePrize(), sent),
  )
})

async function openNew(isOld = false) {
  const rendered = await renderPart(
    <PanelReadingContext value={isOld ? olderReading : currentReading}>
      <PrizesPanel />
    </PanelReadingContext>,
  )
  await screen.findByRole('article')
  await rendered.user.click(screen.getByRole('button', { name: 'Add Prize' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add New Prize' }))
  return { ...rendered, dialog }
}

async function openEdit() {
  const rendered = await renderPart(<PrizesPanel />)
  await rendered.user.click(await screen.findByRole('button', { name: 'Edit Hoodie' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Prize' }))
  return { ...rendered, dialog }
}

type Dialog = Awaited<ReturnType<typeof openNew>>['dialog']

function fillRequired(dialog: Dialog): void {
  fill(dialog, 'Name', 'Cap')
  fill(dialog, 'Description', 'A red cap.')
}

const tick = (dialog: Dialog, label: string) => fireEvent.click(dialog.getByLabelText(label))
const create = (dialog: Dialog) => fireEvent.click(dialog.getByText('Create prize'))

describe('Add New Prize', () => {
  it('starts with 100 packs on the older page', async () => {
    const { dialog } = await openNew(true)
    expect(textOf(dialog, 'Total packs')).toBe('100')
  })

  it('sends what was typed', async () => {
    const { dialog } = await openNew()
    fillRequired(dialog)
    tick(dialog, 'Crown Pack')
    expect(dialog.getByLabelText<HTMLSelectElement>('Pack reward').selectedOptions[0]?.text).toBe(
      'No pack reward',
    )
    create(dialog)
    await expectDone('Prize created successfully')
    expect(sent).toMatchObject([
      {
        path: '/api/admin/prizes',
        body: {
          name: 'Cap',
          description: 'A red cap.',
          winFrequency: 1,
          totalPacks: 10,
          redCoinAmount: 0,
          packTypeId: null,
          inventoryQuantity: null,
          packTypeIds: [1],
          isActive: true,
        },
      },
    ])
    expect(sent[0]?.key).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('starts with defaults, requires its fields, and asks before they are lost', async () => {
    const { dialog, user } = await openNew()
    const defaults = ['Win frequency', 'Total packs', 'RedCoin amount']
    expect(defaults.map((label) => textOf(dialog, label))).toEqual(['1', '10', '0'])
    expect(dialog.getByRole('switch', { name: 'Active' }).getAttribute('aria-checked')).toBe('true')
    expect(dialog.getByText('Select at least one pack type for this prize')).toBeTruthy()
    for (const label of ['Name', 'Description', ...defaults]) {
      expect(dialog.getByLabelText(label)).toHaveProperty('required', true)
    }
    create(dialog)
    expect(await dialog.findByText('Prize name is required')).toBeTruthy()
    expect(dialog.getByText('Description is required')).toBeTruthy()
    const wanted = dialog.getByText('Select at least one pack type for this prize')
    expect([wanted.role, wanted.querySelectorAll('svg').length]).toEqual(['alert', 1])
    expect(sent).toEqual([])
    fillRequired(dialog)
    create(dialog)
    await waitFor(() => expect(dialog.queryByText('Prize name is required')).toBeNull())
    expect(sent).toEqual([])
    tick(dialog, 'Lucky Pack')
    expect(dialog.queryByText('Select at least one pack type for this prize')).toBeNull()
    await user.keyboard('{Escape}')
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Keep editing' }))
    expect(textOf(dialog, 'Name')).toBe('Cap')
    await user.keyboard('{Escape}')
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Discard' }),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('says in its dropdowns when there are no pack types', async () => {
    server.use(answers(adminPackTypesContract.list, []))
    const { dialog } = await openNew()
    expect(await dialog.findAllByText('No pack types found')).toHaveLength(2)
  })

  it('makes numbers whole, and counts with the fallbacks of emptied ones', async () => {
    const asked: Sent[] = []
    server.use(records(adminEconomyContract.preview, { packs: [] }, asked))
    const { dialog } = await openNew()
    tick(dialog, 'Crown Pack')
    fill(dialog, 'Win frequency', '4.7')
    fireEvent.blur(dialog.getByLabelText('Win frequency'))
    expect(textOf(dialog, 'Win frequency')).toBe('4')
    fill(dialog, 'RedCoin amount', '50')
    expect(dialog.getByText('4 wins in 10 packs (40.00%)')).toBeTruthy()
    fill(dialog, 'Total packs', '')
    fireEvent.blur(dialog.getByLabelText('Total packs'))
    expect(textOf(dialog, 'Total packs')).toBe('1')
    expect(dialog.getByText('Empty counts as 1')).toBeTruthy()
    expect(dialog.getByText(/More wins than packs/)).toBeTruthy()
    expect(dialog.getByText('4 wins in 1 packs (400.00%)')).toBeTruthy()
    for (const label of ['Win frequency', 'RedCoin amount', 'Total packs']) fill(dialog, label, '')
    expect(dialog.getByText('1 wins in 1 packs (100.00%)')).toBeTruthy()
    await waitFor(() =>
      expect(asked.at(-1)?.body).toMatchObject({
        prize: { winFrequency: 1, totalPacks: 1, redCoinAmount: 0 },
      }),
    )
  })

  it('shows the real chance and what saving would do to the packs, and warns above 1', async () => {
    const before = samplePackEconomy()
    const warning = { code: 'never_ends' as const, message: 'These packs give each other.' }
    const after = { ...before, expectedRedCoin: 14.25, warnings: [warning] }
    const asked: Sent[] = []
    server.use(records(adminEconomyContract.preview, { packs: [{ before, after }] }, asked))
    const { dialog } = await openNew()
    tick(dialog, 'Crown Pack')
    expect(await dialog.findByText(warning.message)).toBeTruthy()
    expect(
      dialog.getByText('One Crown Pack pays 14.25 RedCoin on average (now 12.5).'),
    ).toBeTruthy()
    expect(asked.at(-1)?.body).toMatchObject({
      prize: { prizeId: null, winFrequency: 1, totalPacks: 10, packTypeIds: [1] },
    })
    const chances = within(dialog.getByRole('list', { name: 'Real chances' }))
    fill(dialog, 'Total packs', '2')
    expect(chances.getByText('50.00%')).toBeTruthy()
    fill(dialog, 'Total packs', '1')
    expect(chances.getByText('75.00%')).toBeTruthy()
    expect(dialog.getByText(/shares of Crown Pack add up to 133.33%/)).toBeTruthy()
    tick(dialog, 'Active')
    expect(dialog.getByText('While it is inactive its real chance is 0.00%.')).toBeTruthy()
  })
})

describe('the form of a new prize', () => {
  it('sends packs, a limited stock and how it is sent, which stands folded away', async () => {
    const keeper = sampleAdminUser(7, { displayName: 'Keeper', role: 'admin' })
    const staff = sampleUsersPage([keeper, sampleAdminUser(8)])
    // Staff come first by their roles, and only the first hundred are looked at.
    server.use(
      replies(adminUsersContract.list, (request) => {
        const isByRole = new URL(request.url).searchParams.get('sort') === 'role'
        return HttpResponse.json(isByRole ? staff : sampleUsersPage([sampleAdminUser(8)]))
      }),
    )
    const { dialog, user } = await openNew()
    fillRequired(dialog)
    fireEvent.click(dialog.getByText('Select all'))
    expect(dialog.queryByLabelText('Something is also sent')).toBeNull()
    fill(dialog, 'Pack reward', '2')
    tick(dialog, 'Something is also sent')
    expect(textOf(dialog, 'Pack quantity')).toBe('1')
    tick(dialog, 'Unlimited inventory')
    fill(dialog, 'Inventory quantity', '25')
    await user.click(dialog.getByText('Delivery', { selector: 'summary' }))
    for (const code of ['DE', 'AT', 'ES']) fill(dialog, 'Ships to', code)
    fireEvent.click(dialog.getByLabelText('Remove Spain'))
    fill(dialog, 'Estimated value', '0')
    fill(dialog, 'Question 1', 'Size')
    fill(dialog, 'Choices of question 1', 'S, M,')
    fill(dialog, 'Question 2', 'Name on it')
    await dialog.findByText('Keeper')
    fill(dialog, 'Handler', '7')
    create(dialog)
    expect(await dialog.findByText(/^Value must be more than 0/)).toBeTruthy()
    expect(sent).toEqual([])
    fill(dialog, 'Estimated value', '45,50')
    await waitFor(() => expect(dialog.queryByText(/^Value must be more than 0/)).toBeNull())
    expect(dialog.getByLabelText('Question 1').closest('details')?.open).toBe(true)
    create(dialog)
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.body).toMatchObject({
      packTypeId: 2,
      packQuantity: 1,
      isAlsoSent: true,
      inventoryQuantity: 25,
      packTypeIds: [1, 2],
      countries: ['AT', 'DE'],
      estimatedValue: { amount: 45.5, currency: 'EUR' },
      questions: [
        { kind: 'choice', label: 'Size', choices: ['S', 'M'] },
        { kind: 'text', label: 'Name on it' },
      ],
      handlerId: 7,
    })
  })

  it('sends no stock of a code prize, whose field has gone', async () => {
    server.use(answers(adminUsersContract.list, sampleUsersPage([])))
    const { dialog, user } = await openNew()
    fillRequired(dialog)
    fireEvent.click(dialog.getByText('Select all'))
    tick(dialog, 'Unlimited inventory')
    fill(dialog, 'Inventory quantity', '25')
    await user.click(dialog.getByText('Delivery', { selector: 'summary' }))
    await user.click(dialog.getByRole('switch', { name: /code/i }))
    create(dialog)
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.body).toMatchObject({ deliversCodes: true, inventoryQuantity: null })
  })

  it('shows what an emptied number counts as before it is sent, and sends that', async () => {
    const { dialog } = await openNew()
    fillRequired(dialog)
    tick(dialog, 'Crown Pack')
    fill(dialog, 'Pack reward', '2')
    tick(dialog, 'Unlimited inventory')
    // These would be saved as another number than they started with, or than none.
    const counted = { 'Pack quantity': '0', 'Total packs': '1', 'Inventory quantity': '0' }
    for (const label of Object.keys(counted)) fill(dialog, label, '')
    // By Enter the field is never left.
    fireEvent.submit(dialog.getByLabelText('Name').closest('form') as HTMLFormElement)
    const said = dialog.getAllByText(/^Empty counts as/).map(({ textContent }) => textContent)
    const sentences = Object.values(counted).map((number) => `Empty counts as ${number}. `)
    expect(said).toEqual(sentences.map((sentence) => `${sentence}Press again to save that.`))
    for (const [label, number] of Object.entries(counted)) {
      expect(textOf(dialog, label)).toBe(number)
    }
    expect(sent).toEqual([])
    for (const label of ['Win frequency', 'RedCoin amount']) fill(dialog, label, '')
    create(dialog)
    await waitFor(() =>
      expect(sent[0]?.body).toMatchObject({
        ...{ winFrequency: 1, totalPacks: 1, redCoinAmount: 0 },
        ...{ packTypeId: 2, packQuantity: 0, inventoryQuantity: 0 },
      }),
    )
  })
})

describe('the picture', () => {
  const png = new File(['abc'], 'a.png', { type: 'image/png' })

  it('is read as a data URL, with its type, unless it is none or too large', async () => {
    const { dialog } = await openNew()
    const input = dialog.getByLabelText('Prize image')
    const text = new File(['x'], 'a.txt', { type: 'text/plain' })
    fireEvent.change(input, { target: { files: [text] } })
    expect(await dialog.findByText('This file is not an image.')).toBeTruthy()
    const big = new File(['x'], 'b.png', { type: 'image/png' })
    vi.spyOn(big, 'size', 'get').mockReturnValue(7 * 1024 * 1024)
    fireEvent.change(input, { target: { files: [big] } })
    expect(await dialog.findByText('The image has 7.0 MB. At most 5 MB are allowed.')).toBeTruthy()
    expect(dialog.queryByText('Remove image')).toBeNull()
    fillRequired(dialog)
    tick(dialog, 'Crown Pack')
    fireEvent.change(input, { target: { files: [png] } })
    await dialog.findByText('Remove image')
    create(dialog)
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.body).toMatchObject({
      imageData: `data:image/png;base64,${btoa('abc')}`,
      imageType: 'image/png',
    })
  })

  it('is cropped to the ratio of cards, as a small WebP picture', async () => {
    await cropPanel.fetch()
    const sizes = [80_000, 50_000]
    const drawn = mockCanvas(() => sizes.shift() ?? 0)
    const { dialog, user } = await openNew()
    fillRequired(dialog)
    tick(dialog, 'Crown Pack')
    expect(dialog.queryByRole('button', { name: 'Crop' })).toBeNull()
    await user.upload(dialog.getByLabelText('Prize image'), png)
    const cropButton = await dialog.findByRole('button', { name: 'Crop' })
    const { image, use } = await openCrop(user, cropButton)
    await use()
    await waitFor(() => expect(drawn).toHaveBeenCalledTimes(1))
    expect(drawn).toHaveBeenCalledWith(image, ...middlePart)
    await expectCropClosed()
    create(dialog)
    await waitFor(() => expect(sent).toHaveLength(1))
    const body = sent[0]?.body as { readonly imageData: string; readonly imageType: string }
    expect(body.imageType).toBe('image/webp')
    expect(body.imageData).toHaveLength(
      'data:image/webp;base64,'.length + Math.ceil(50_000 / 3) * 4,
    )
  })
})

it('Edit Prize is filled, sends what changed, and leaves the next one empty', async () => {
  const stored = samplePrize({ winFrequency: 2, redCoinAmount: 50 })
  server.use(answers(adminPrizesContract.list, [stored]))
  const { dialog, user } = await openEdit()
  const labels = ['Name', 'Description', 'Total packs', 'Inventory quantity']
  expect(labels.map((label) => textOf(dialog, label))).toEqual([
    ...['Hoodie', 'Warm and red.', '3', '7'],
  ])
  expect(textOf(dialog, 'Win frequency')).toBe('2')
  expect(textOf(dialog, 'RedCoin amount')).toBe('50')
  const packType = await dialog.findByRole<HTMLInputElement>('checkbox', { name: 'Crown Pack' })
  expect(packType.checked).toBe(true)
  tick(dialog, 'Active')
  fireEvent.click(dialog.getByText('Save changes'))
  await expectDone('Prize updated successfully')
  expect(sent).toMatchObject([{ path: '/api/admin/prizes/11' }])
  expect(sent[0]?.body).toEqual({ isActive: false, expected: { isActive: true } })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await pressButton(user, 'Add Prize')
  const fresh = within(await screen.findByRole('dialog', { name: 'Add New Prize' }))
  expect(labels.slice(0, 3).map((label) => textOf(fresh, label))).toEqual(['', '', '10'])
})

describe('a failure', () => {
  it.each([
    ['creating', openNew, 'Create prize', adminPrizesContract.create],
    ['updating', openEdit, 'Save changes', adminPrizesContract.update],
  ] as const)(
    'of %s has its own words, or those of the server',
    async (act, open, button, call) => {
      const { dialog } = await open()
      fillRequired(dialog)
      if (act === 'creating') tick(dialog, 'Crown Pack')
      const fails = async (description: string) => {
        await waitFor(() => fireEvent.click(dialog.getByText(button)))
        await expectFailed(`Error ${act} prize`, description)
      }
      const noAnswer = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))
      await fails(`Failed to ${act === 'creating' ? 'create' : 'update'} prize`)
      noAnswer.mockRestore()
      server.use(refuses(call, 409, 'The name is taken'))
      await fails('The name is taken')
      expect(textOf(dialog, 'Name')).toBe('Cap')
    },
  )
})
