// Pictures from the person's device: whether they can be used, made smaller, and read.

import { uploadBytesMax } from '@redpack/contract'

const megabyte = 1024 * 1024
/** Pictures above this size are made smaller before they are sent, in bytes. */
const shrinkAboveBytes = 60 * 1024
/** Twice the size at which cards show them, for sharp screens, in pixels. */
const shrunkSize = { width: 400, height: 480 }
const shrunkQuality = 0.85
/** Kinds that keep their look when they are drawn again; moving and drawn ones do not. */
const stillTypes = ['image/png', 'image/jpeg', 'image/webp']

/** Why a file cannot be used as a picture, or undefined when it can. */
export function imageFileIssue(file: File): string | undefined {
  if (!file.type.startsWith('image/')) return 'This file is not an image.'
  if (file.size === 0) return 'This file is empty.'
  if (file.size > uploadBytesMax) {
    const size = (file.size / megabyte).toFixed(1)
    return `The image has ${size} MB. At most ${uploadBytesMax / megabyte} MB are allowed.`
  }
  return undefined
}

/**
 * A big picture as a small WebP one; the file itself when it is small already, when it moves, or
 * when the browser cannot do it.
 */
export async function shrinkImage(file: File): Promise<File> {
  if (file.size <= shrinkAboveBytes || !stillTypes.includes(file.type)) return file
  try {
    const bitmap = await createImageBitmap(file)
    const { width, height } = bitmap
    const blob = await drawSmall(bitmap, { x: 0, y: 0, width, height }, [shrunkQuality])
    bitmap.close()
    if (blob.type !== 'image/webp' || blob.size >= file.size) return file
    return new File([blob], file.name.replace(/\.\w+$/, '.webp'), { type: blob.type })
  } catch {
    return file
  }
}

export interface PicturePart {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Each try of a cropped picture that is still too large, until the last. */
const cropQualities = [shrunkQuality, 0.7, 0.55, 0.4]

/**
 * A part of a picture, in percent of its sides, as a WebP file of at most 60 kB.
 * @throws Error when the browser cannot draw it
 */
export async function cropImage(image: HTMLImageElement, part: PicturePart): Promise<File> {
  const { naturalWidth, naturalHeight } = image
  const across = (percent: number) => Math.round((percent / 100) * naturalWidth)
  const down = (percent: number) => Math.round((percent / 100) * naturalHeight)
  const [x, width] = [across(part.x), across(part.width)]
  const [y, height] = [down(part.y), down(part.height)]
  const blob = await drawSmall(image, { x, y, width, height }, cropQualities)
  return new File([blob], 'cropped.webp', { type: blob.type })
}

/**
 * A part in pixels, no larger than cards need it, in the first of the qualities that is small
 * enough, or else the smallest.
 * @throws Error for a picture of another site, and where the browser has no canvas
 */
async function drawSmall(
  source: CanvasImageSource,
  { x, y, width, height }: PicturePart,
  qualities: readonly number[],
): Promise<Blob> {
  const scale = Math.min(1, shrunkSize.width / width, shrunkSize.height / height)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const area = canvas.getContext('2d')
  area?.drawImage(source, x, y, width, height, 0, 0, canvas.width, canvas.height)
  let smallest: Blob | null = null
  for (const quality of area ? qualities : []) {
    const blob = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, 'image/webp', quality),
    )
    if (blob && (!smallest || blob.size < smallest.size)) smallest = blob
    if (smallest && smallest.size <= shrinkAboveBytes) break
  }
  if (!smallest) throw new Error('The picture could not be written')
  return smallest
}

/** Whether a picture stands still and is of this origin, so that a part of it can be kept. */
export function canCrop(src: string): boolean {
  const type = /^data:([\w/+-]+)[;,]/.exec(src)?.[1]
  return type === undefined ? /^\/(?!\/)/.test(src) : stillTypes.includes(type)
}

/** Width by height of the pictures of prizes and pack types. */
export const pictureAspect = shrunkSize.width / shrunkSize.height

/** The file as a data URL. */
export function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error('The image could not be read.'))
    reader.readAsDataURL(file)
  })
}
