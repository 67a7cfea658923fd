// Cropping a picture where nothing is drawn: the canvas and the sizes of the picture are made up.

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, vi } from 'vitest'

/**
 * A canvas that draws nothing.
 * @param bytesOf size of each picture that is asked of it, one after the other
 * @returns what was drawn
 */
export function mockCanvas(bytesOf: () => number = () => 1) {
  const drawn = vi.fn()
  const context = { drawImage: drawn } as unknown as CanvasRenderingContext2D
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) => {
    done(new Blob(['x'.repeat(bytesOf())], { type: type ?? '' }))
  })
  return drawn
}

const sizes = { width: 300, height: 120, naturalWidth: 3_000, naturalHeight: 1_200 }

/** The part of that picture that is taken when nobody moves the frame, as `drawImage` gets it. */
export const middlePart = [1_000, 0, 1_000, 1_200, 0, 0, 400, 480] as const

/** Opens the crop dialog and lets its picture of 3000 x 1200 pixels arrive. */
export async function openCrop(user: UserEvent, cropButton: HTMLElement) {
  await user.click(cropButton)
  const dialog = within(await screen.findByRole('dialog', { name: 'Crop the picture' }))
  const image = dialog.getByRole('img', { name: 'Before cropping' })
  for (const [side, value] of Object.entries(sizes)) {
    Object.defineProperty(image, side, { value })
  }
  fireEvent.load(image)
  return { image, use: () => user.click(dialog.getByRole('button', { name: 'Use this part' })) }
}

export async function expectCropClosed(): Promise<void> {
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Crop the picture' })).toBeNull())
}
