// The pack type dialog in its two modes: fields, colours, icons, pictures and failures.

import { adminPackTypesContract } from '@redpack/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { records, type Sent, samplePackType } from '../../../test/catalogue-samples.ts'
import { expectCropClosed, middlePart, mockCanvas, openCrop } from '../../../test/crop.ts'
import { answers, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { fill, pressButton, textOf } from '../../../test/press.ts'
import { renderPart } from '../../../test/render.tsx'
import { expectDone, expectFailed } from '../../../test/toasts.ts'
import { cropPanel } from '../../ui/media/image-field.tsx'
import { PackTypesPanel } from './pack-types-panel.tsx'

const server = mockServer()
let sent: Sent[] = []

beforeEach(() => {
  sent = []
  server.use(
    answers(adminPackTypesContract.list, [samplePackType()]),
    records(adminPackTypesContract.create, samplePackType(), sent),
    records(adminPackTypesContract.update, samplePackType(), sent),
  )
})

async function openNew() {
  const rendered = await renderPart(<PackTypesPanel />)
  await screen.findByRole('article')
  await rendered.user.click(screen.getByRole('button', { name: 'Add Pack Type' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Pack Type' }))
  return { ...rendered, dialog }
}

async function openEdit(change: Parameters<typeof samplePackType>[0] = {}) {
  server.use(answers(adminPackTypesContract.list, [samplePackType(change)]))
  const rendered = await renderPart(<PackTypesPanel />)
  await rendered.user.click(await screen.findByRole('button', { name: 'Edit Crown Pack' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Pack Type' }))
  return { ...rendered, dialog }
}

const preview = () => screen.getByRole('img', { name: 'Preview' })
const png = new File(['abc'], 'a.png', { type: 'image/png' })

describe('the fields', () => {
  it('are there, with their defaults', async () => {
    const { dialog } = await openNew()
    expect(textOf(dialog, 'Pack Type Name')).toBe('')
    expect(textOf(dialog, 'Description')).toBe('')
    expect(textOf(dialog, 'Color')).toBe('#0080FF')
    expect(textOf(dialog, 'Icon')).toBe('package')
    const icons = dialog.getByLabelText<HTMLSelectElement>('Icon')
    const choices = [...icons.options].map(({ value }) => value)
    expect(choices.slice(0, 4)).toEqual(['package', 'gift', 'box', 'dice'])
  })

  it('take an emoji as icon, starting at the package', async () => {
    const { dialog, user } = await openNew()
    expect(preview().querySelector('[data-icon="package"]')).toBeTruthy()
    fill(dialog, 'Emoji or icon name', '🌌')
    expect(preview().querySelector('[data-icon="emoji"]')?.textContent).toBe('🌌')
    fill(dialog, 'Pack Type Name', 'Nebula')
    await user.click(dialog.getByRole('button', { name: 'Create pack type' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.body).toMatchObject({ name: 'Nebula', icon: '🌌', color: '#0080FF' })
    await expectDone('Pack type created successfully')
  })

  it('pick a colour with the picker of the browser', async () => {
    const { dialog } = await openNew()
    const picker = dialog.getByLabelText<HTMLInputElement>('Pick color')
    expect(picker).toMatchObject({ type: 'color', value: '#0080ff' })
    fireEvent.change(picker, { target: { value: '#17e617' } })
    expect(textOf(dialog, 'Color')).toBe('#17E617')
    fill(dialog, 'Color', 'teal')
    expect(picker.value).toBe('#14b8a6')
    fill(dialog, 'Color', 'no colour')
    expect(picker.value).toBe('#000000')
  })

  it('take a named colour and show its hex at once', async () => {
    const { dialog, user } = await openNew()
    fill(dialog, 'Pack Type Name', 'Teal')
    fill(dialog, 'Color', 'teal')
    expect(dialog.getByText('Shown as #14B8A6')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Create pack type' }))
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ color: '#14B8A6' }))
  })

  it('refuse a blank name and an unknown colour', async () => {
    const { dialog, user } = await openNew()
    fill(dialog, 'Color', 'no-such')
    await user.click(dialog.getByRole('button', { name: 'Create pack type' }))
    expect(await dialog.findByText('Pack type name is required')).toBeTruthy()
    expect(dialog.getByText('Invalid color')).toBeTruthy()
    expect(sent).toEqual([])
  })
})

describe('the picture', () => {
  it('comes from an address, which is tried before it is saved', async () => {
    const { dialog, user } = await openNew()
    fill(dialog, 'Pack Type Name', 'Far')
    fill(dialog, 'Image URL', 'https://example.com/pack.png')
    const tried = document.querySelector<HTMLImageElement>('img[hidden]')
    expect(tried?.src).toBe('https://example.com/pack.png')
    fireEvent.error(tried as HTMLImageElement)
    expect(
      dialog.getByText(/This picture cannot be loaded\. Players see the icon instead\./),
    ).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Create pack type' }))
    await waitFor(() =>
      expect(sent[0]?.body).toMatchObject({ imageUrl: 'https://example.com/pack.png' }),
    )
  })

  it('is uploaded and previewed', async () => {
    server.use(answers(adminPackTypesContract.upload, { url: '/uploads/x.png' }))
    const { dialog, user } = await openNew()
    const input = dialog.getByLabelText<HTMLInputElement>('Upload Image')
    expect(input.accept).toBe('image/*')
    expect(dialog.getByText(/Recommended: 200x240 px/)).toBeTruthy()
    await user.upload(input, png)
    await waitFor(() => expect(textOf(dialog, 'Image URL')).toBe('/uploads/x.png'))
    expect(preview().getAttribute('src')).toBe('/uploads/x.png')
  })

  it('is cropped out of the whole file, also a second time', async () => {
    await cropPanel.fetch()
    const drawn = mockCanvas()
    const uploads = ['/uploads/whole.webp', '/uploads/part.webp', '/uploads/again.webp']
    server.use(
      replies(adminPackTypesContract.upload, () => HttpResponse.json({ url: uploads.shift() })),
    )
    const { dialog, user } = await openNew()
    expect(dialog.queryByRole('button', { name: 'Crop' })).toBeNull()
    await user.upload(dialog.getByLabelText('Upload Image'), png)
    await waitFor(() => expect(textOf(dialog, 'Image URL')).toBe('/uploads/whole.webp'))
    for (const address of ['/uploads/part.webp', '/uploads/again.webp']) {
      const { image, use } = await openCrop(user, dialog.getByRole('button', { name: 'Crop' }))
      // Not the part that is stored by now.
      expect(image.getAttribute('src')).toBe(`data:image/png;base64,${btoa('abc')}`)
      await use()
      await waitFor(() => expect(textOf(dialog, 'Image URL')).toBe(address))
      expect(drawn).toHaveBeenLastCalledWith(image, ...middlePart)
      await expectCropClosed()
    }
  })

  it.each([
    [
      'server error',
      () => HttpResponse.json({ error: 'Not an image' }, { status: 400 }),
      'Not an image',
    ],
    [
      'status text',
      () => new HttpResponse('', { status: 413, statusText: 'Payload Too Large' }),
      'Payload Too Large',
    ],
  ])('that fails to upload is reported by its %s', async (_, reply, text) => {
    server.use(replies(adminPackTypesContract.upload, reply))
    const { dialog, user } = await openNew()
    await user.upload(dialog.getByLabelText('Upload Image'), png)
    const alert = await dialog.findByText(`Upload failed: ${text}`)
    expect(alert.closest('[role="alert"]')).toBeTruthy()
  })

  it('that the browser refuses is reported in the same words', async () => {
    const { dialog, user } = await openNew()
    await user.upload(
      dialog.getByLabelText('Upload Image'),
      new File([''], 'a.png', { type: 'image/png' }),
    )
    expect(await dialog.findByText('Upload failed: This file is empty.')).toBeTruthy()
  })

  it('is refreshed everywhere after an edit, with a cache-busting query', async () => {
    const asked: string[] = []
    server.use(
      replies(adminPackTypesContract.image, (request) => {
        asked.push(new URL(request.url).search)
        return HttpResponse.json({
          imageUrl: null,
          imageData: asked.length === 1 ? 'T0xE' : 'TkVX',
          imageType: 'image/png',
        })
      }),
    )
    const { dialog, user } = await openEdit({ hasImage: true })
    const picture = () => screen.getByRole('article', { hidden: true }).querySelector('img')?.src
    await waitFor(() => expect(picture()).toBe('data:image/png;base64,T0xE'))
    fill(dialog, 'Description', 'Newer')
    await user.click(dialog.getByRole('button', { name: 'Save changes' }))
    await waitFor(() => expect(picture()).toBe('data:image/png;base64,TkVX'))
    expect(asked[0]).toBe('')
    expect(asked.at(-1)).toMatch(/^\?t=\d+$/)
  })

  it('keeps its place when another part is edited, and its address gets the query', async () => {
    server.use(records(adminPackTypesContract.update, samplePackType({ id: 77 }), sent))
    const { dialog, user } = await openEdit({ id: 77, imageUrl: '/uploads/a.webp', hasImage: true })
    fill(dialog, 'Pack Type Name', 'Crown Pack II')
    await user.click(dialog.getByRole('button', { name: 'Save changes' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.body).toEqual({ name: 'Crown Pack II', expected: { name: 'Crown Pack' } })
    const picture = () => screen.getByRole('article').querySelector('img')?.getAttribute('src')
    await waitFor(() => expect(picture()).toMatch(/^\/uploads\/a\.webp\?t=\d+$/))
  })

  it('is removed by an empty address', async () => {
    const { dialog, user } = await openEdit({ imageUrl: '/uploads/a.webp', hasImage: true })
    await user.click(dialog.getByRole('button', { name: 'Remove image' }))
    await user.click(dialog.getByRole('button', { name: 'Save changes' }))
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ imageUrl: null, imageData: null }))
  })
})

describe('the modes', () => {
  it('are edit with the pack type, and create without any', async () => {
    const { dialog, user } = await openEdit()
    expect(textOf(dialog, 'Pack Type Name')).toBe('Crown Pack')
    expect(textOf(dialog, 'Color')).toBe('#A855F7')
    expect(textOf(dialog, 'Emoji or icon name')).toBe('crown')
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await pressButton(user, 'Add Pack Type')
    const fresh = within(await screen.findByRole('dialog', { name: 'Add Pack Type' }))
    expect(textOf(fresh, 'Pack Type Name')).toBe('')
    expect(textOf(fresh, 'Color')).toBe('#0080FF')
  })
})

describe('a failure', () => {
  it.each([
    ['the sentence of the server', 'The name is taken', 'The name is taken'],
    ['its own words without one', '', 'Failed to create pack type'],
  ])('of creating is reported in %s', async (_, message, description) => {
    const { dialog, user } = await openNew()
    fill(dialog, 'Pack Type Name', 'x')
    if (message) server.use(refuses(adminPackTypesContract.create, 400, message))
    else vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))
    await user.click(dialog.getByRole('button', { name: 'Create pack type' }))
    await expectFailed('Error creating pack type', description)
  })

  it.each([
    [
      'the sentence of the server',
      () => HttpResponse.json({ message: 'Too late' }, { status: 409 }),
      'Too late',
    ],
    [
      'its status without one',
      () => new HttpResponse('', { status: 502, statusText: 'Bad Gateway' }),
      'Failed to update pack type: 502 Bad Gateway',
    ],
  ])('of updating is reported by %s', async (_, reply, description) => {
    server.use(replies(adminPackTypesContract.update, reply))
    const { dialog, user } = await openEdit()
    fill(dialog, 'Pack Type Name', 'x')
    await user.click(dialog.getByRole('button', { name: 'Save changes' }))
    await expectFailed('Error updating pack type', description)
  })
})
