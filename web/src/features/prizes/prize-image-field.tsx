// The picture of a prize in its form: read here, sent with the rest as a data URL.

import { useState } from 'react'
import { imageFileIssue, readDataUrl, shrinkImage } from '../../lib/image-file.ts'
import { ImageField } from '../../ui/image-field.tsx'
import type { PrizePartProps } from './prize-fields.tsx'
import { PrizePicture } from './prize-picture.tsx'

export function PrizeImageField({ form }: PrizePartProps) {
  const [issue, setIssue] = useState<string>()
  const [isReading, setReading] = useState(false)
  const image = form.watch('image')
  const set = (data: string, type: string) => {
    form.setValue('image', data, { shouldDirty: true })
    form.setValue('imageType', type, { shouldDirty: true })
  }
  const take = async (file: File) => {
    const found = imageFileIssue(file)
    setIssue(found)
    if (found !== undefined) return
    setReading(true)
    try {
      const small = await shrinkImage(file)
      set(await readDataUrl(small), small.type)
    } catch {
      setIssue('The image could not be read.')
    } finally {
      setReading(false)
    }
  }
  return (
    <ImageField
      label="Prize image"
      hint="Best at 200x240 px."
      preview={<PrizePicture image={{ imageData: image }} />}
      onFile={(file) => void take(file)}
      onRemove={image === '' ? undefined : () => set('', '')}
      isPending={isReading}
      error={issue}
    />
  )
}
