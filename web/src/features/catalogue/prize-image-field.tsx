// The picture of a prize in its form: read here, sent with the rest as a data URL.

import { useIsMutating, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import {
  canCrop,
  imageFileIssue,
  pictureAspect,
  readDataUrl,
  shrinkImage,
} from '../../lib/image-file.ts'
import { ImageField } from '../../ui/media/image-field.tsx'
import type { PrizePartProps } from './prize-fields.tsx'
import { PrizePicture } from './prize-picture.tsx'

const readKey = ['read-image'] as const

/** True while a picture is being read: what is saved now would be without it. */
export function useIsReadingImage(): boolean {
  return useIsMutating({ mutationKey: readKey }) > 0
}

interface TakenFile {
  readonly file: File
  /** It is a part of the picture that is there. */
  readonly isPart: boolean
}

export function PrizeImageField({ form }: PrizePartProps) {
  const [issue, setIssue] = useState<string>()
  const image = form.watch('image')
  // The file as it came: a part of it is sharper than one of the picture that is sent.
  const [whole, setWhole] = useState<{ readonly src: string; readonly of: string }>()
  const set = (data: string, type: string) => {
    form.setValue('image', data, { shouldDirty: true })
    form.setValue('imageType', type, { shouldDirty: true })
  }
  const reading = useMutation({
    mutationKey: readKey,
    mutationFn: async ({ file, isPart }: TakenFile) => {
      const small = await shrinkImage(file)
      const data = await readDataUrl(small)
      return { data, type: small.type, src: isPart ? undefined : await readDataUrl(file) }
    },
    onSuccess: ({ data, type, src }) => {
      set(data, type)
      setWhole((before) => ({ src: src ?? before?.src ?? image, of: data }))
    },
    onError: () => setIssue('The image could not be read.'),
    // Nothing of it goes over the network.
    networkMode: 'always',
  })
  const take = (file: File, isPart = false) => {
    const found = imageFileIssue(file)
    setIssue(found)
    if (found === undefined) reading.mutate({ file, isPart })
  }
  const src = whole?.of === image ? whole.src : image
  return (
    <ImageField
      label="Prize image"
      hint="Best at 200x240 px."
      preview={<PrizePicture image={{ imageData: image }} />}
      onFile={(file) => take(file)}
      onCropped={(file) => take(file, true)}
      crop={canCrop(src) ? { src, aspect: pictureAspect } : undefined}
      onRemove={image === '' ? undefined : () => set('', '')}
      isPending={reading.isPending}
      error={issue}
    />
  )
}
