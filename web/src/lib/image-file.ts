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
  if (typeof createImageBitmap !== 'function') return file
  try {
    const bitmap = await createImageBitmap(file)
    const { width, height } = shrunkSize
    const scale = Math.min(1, width / bitmap.width, height / bitmap.height)
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    bitmap.close()
    const blob = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/webp', shrunkQuality)
    })
    const isSmaller = blob !== null && blob.type === 'image/webp' && blob.size < file.size
    if (!isSmaller) return file
    return new File([blob], file.name.replace(/\.\w+$/, '.webp'), { type: blob.type })
  } catch {
    return file
  }
}

/** The file as a data URL. */
export function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error('The file could not be read'))
    reader.readAsDataURL(file)
  })
}
