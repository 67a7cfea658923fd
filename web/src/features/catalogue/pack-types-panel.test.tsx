// The Pack Types tab: its cards, its empty, loading and failed states, and deletion.

import { adminPackTypesContract, adminPrizesContract } from '@redpack/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  records,
  type Sent,
  samplePackType,
  samplePrize,
  shopQueries,
} from '../../../test/catalogue-samples.ts'
import { answers, mockServer, refuses } from '../../../test/mock-server.ts'
import { pressButton } from '../../../test/press.ts'
import { leaveAnswers, renderPart } from '../../../test/render.tsx'
import { expectDone, expectFailed, expectUndoable } from '../../../test/toasts.ts'
import { PackTypesPanel } from './pack-types-panel.tsx'

const server = mockServer()

beforeEach(() => {
  server.use(
    answers(adminPackTypesContract.list, [samplePackType()]),
    answers(adminPrizesContract.list, [samplePrize()]),
  )
})

async function renderCard(change: Parameters<typeof samplePackType>[0] = {}) {
  server.use(answers(adminPackTypesContract.list, [samplePackType(change)]))
  const rendered = await renderPart(<PackTypesPanel />)
  const element = await screen.findByRole('article', { name: 'Crown Pack' })
  return { ...rendered, element, card: within(element) }
}

describe('a card', () => {
  it('shows what a pack type is, below the heading and the way to a new one', async () => {
    const { card, element } = await renderCard({ id: 34 })
    expect(screen.getByRole('heading', { name: 'Pack Types Management' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Add Pack Type' })).toBeTruthy()
    expect(screen.getByRole('list', { name: 'Pack types' })).toBeTruthy()
    expect(card.getByRole('heading', { name: 'Crown Pack' })).toBeTruthy()
    expect(card.getByText('Rare things for the brave.')).toBeTruthy()
    expect(card.getByText('#34')).toBeTruthy()
    const swatch = element.querySelector<HTMLElement>('[data-color]')
    expect(swatch?.style.backgroundColor).toBe('rgb(168, 85, 247)')
    expect(card.getByRole('button', { name: 'Edit Crown Pack' })).toBeTruthy()
    expect(card.getByRole('button', { name: 'Delete Crown Pack' })).toBeTruthy()
    expect(card.getByText('#A855F7')).toBeTruthy()
    // Without an image it has a placeholder.
    expect(card.getByText('Default')).toBeTruthy()
    expect(element.querySelector('img')).toBeNull()
    expect(element.querySelector('[data-icon="crown"]')).toBeTruthy()
  })

  it('has the image of its address, and says a theme in hex', async () => {
    const shown = { imageUrl: '/uploads/a.webp', hasImage: true, color: 'twitch-purple' }
    const { card, element } = await renderCard(shown)
    expect(card.getByText('#9146FF')).toBeTruthy()
    expect(card.queryByText(/twitch-purple/)).toBeNull()
    expect(card.getByText('Has Image')).toBeTruthy()
    expect(element.querySelector('img')?.getAttribute('src')).toBe('/uploads/a.webp')
  })

  it('asks for stored bytes', async () => {
    server.use(
      answers(adminPackTypesContract.image, {
        imageUrl: null,
        imageData: 'QUJD',
        imageType: 'image/png',
      }),
    )
    const { element } = await renderCard({ hasImage: true })
    await waitFor(() =>
      expect(element.querySelector('img')?.src).toBe('data:image/png;base64,QUJD'),
    )
  })
})

describe('deleting', () => {
  it('is done at once, refreshes packs and store, and can be taken back', async () => {
    const sent: Sent[] = []
    server.use(
      records(adminPackTypesContract.remove, { success: true, message: 'ok' }, sent),
      records(adminPackTypesContract.restore, samplePackType(), sent),
    )
    const { card, user, queryClient } = await renderCard()
    const stale = leaveAnswers(queryClient, ...shopQueries)
    await user.click(card.getByRole('button', { name: 'Delete Crown Pack' }))
    await expectUndoable('Pack type deleted successfully: Crown Pack')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    // The button goes with its card; the line in its place has the focus.
    expect(document.activeElement?.textContent).toContain('Deleted Crown Pack.')
    await waitFor(() => expect(stale()).toHaveLength(3))
    await pressButton(user, 'Undo')
    await expectDone('Pack type restored successfully: Crown Pack')
    expect(sent.map(({ path }) => path)).toEqual([
      '/api/admin/pack-types/1',
      '/api/admin/pack-types/1/restore',
    ])
  })

  it('says status and reason when it is refused, and the reason on the card', async () => {
    server.use(refuses(adminPackTypesContract.remove, 409, 'Users still hold 12 packs of it'))
    const { card, user } = await renderCard()
    await user.click(card.getByRole('button', { name: 'Delete Crown Pack' }))
    await expectFailed(
      'Error deleting pack type',
      'Users still hold 12 packs of it (HTTP 409: Conflict)',
    )
    const reason = await card.findByRole('alert')
    expect(reason.textContent).toBe('Users still hold 12 packs of it')
  })
})
