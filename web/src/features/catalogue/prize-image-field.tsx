// The picture of a prize in its form: read here, sent with the rest as a data URL.

import { useIsMutating, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { imageFileIssue, readDataUrl, shrinkImage } from '../../lib/image-file.ts'
import { ImageField } from '../../ui/image-field.tsx'
import type { PrizePartProps } from './prize-fields.tsx'
import { PrizePicture } from './prize-picture.tsx'

const readKey = ['read-image'] as const

/** True while a picture is being read: what is saved now would be without it. */
export function useIsReadingImage(): boolean {
  return useIsMutating({ mutationKey: readKey }) > 0
}

export function PrizeImageField({ form }: PrizePartProps) {
  const [issue, setIssue] = useState<string>()
  const image = form.watch('image')
  const set = (data: string, type: string) => {
    form.setValue('image', data, { shouldDirty: true })
    form.setValue('imageType', type, { shouldDirty: true })
  }
  const reading = useMutation({
    mutationKey: readKey,
    mutationFn: async (file: File) => {
      const small = await shrinkImage(file)
      return { data: await readDataUrl(small), type: small.type }
    },
    onSuccess: ({ data, type }) => set(data, type),
    onError: () => setIssue('The image could not be read.'),
    // Nothing of it goes over the network.
    networkMode: 'always',
  })
  const take = (file: File) => {
    const found = imageFileIssue(file)
    setIssue(found)
    if (found === undefined) reading.mutate(file)
  }
  return (
    <ImageField
      label="Prize image"
      hint="Best at 200x240 px."
      preview={<PrizePicture image={{ imageData: image }} />}
      onFile={take}
      onRemove={image === '' ? undefined : () => set('', '')}
      isPending={reading.isPending}
      error={issue}
    />
  )
}
