// The picture of a pack type in its form: an address, or a file that is stored at once.

import type { AdminPackType } from '@redpack/contract'
import { useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { canCrop, imageFileIssue, pictureAspect, readDataUrl } from '../../lib/image-file.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { ImageField } from '../../ui/media/image-field.tsx'
import { CardImage } from '../packs/shared/card-image.tsx'
import type { PackTypeFormReturn } from './pack-type-form.ts'
import { usePackTypeImage, useUploadImage } from './pack-type-queries.ts'

export interface PackTypeImageFieldProps {
  readonly form: PackTypeFormReturn
  readonly packType: AdminPackType | undefined
}

/** 'Upload failed: ' and the server's error, else its status text. */
function uploadFailure(error: unknown): string {
  if (!(error instanceof ApiError)) {
    return `Upload failed: ${error instanceof Error && error.message ? error.message : 'No answer'}`
  }
  return `Upload failed: ${error.serverMessage || error.statusText}`
}

const nothingStored = { id: 0, imageUrl: null, hasImage: false }

export function PackTypeImageField({ form, packType }: PackTypeImageFieldProps) {
  const [issue, setIssue] = useState<string>()
  const [broken, setBroken] = useState<string>()
  const upload = useUploadImage()
  const { register, watch, setValue, formState } = form
  const [imageUrl, isRemoved, icon, color] = watch(['imageUrl', 'isImageRemoved', 'icon', 'color'])
  const stored = usePackTypeImage(packType && !isRemoved ? packType : nothingStored)
  const address = imageUrl.trim()
  const isOwn = address === packType?.imageUrl
  const image = address === '' || isOwn ? stored : { imageUrl: address }
  const hasImage = address !== '' || Boolean(stored.imageData)

  // The file as it came: a part of it is sharper than one of the picture that is stored.
  const [whole, setWhole] = useState<{ readonly src: string; readonly of: string }>()
  const shown = address === '' || isOwn ? (stored.imageData ?? stored.imageUrl ?? '') : address
  const src = whole?.of === address ? whole.src : shown

  const take = async (file: File, wholeSrc?: string) => {
    const found = imageFileIssue(file)
    setIssue(found && `Upload failed: ${found}`)
    if (found !== undefined) return
    try {
      const { url } = await upload.mutateAsync(file)
      setWhole({ src: wholeSrc ?? (await readDataUrl(file)), of: url })
      setValue('imageUrl', url, { shouldDirty: true, shouldValidate: true })
    } catch (error) {
      setIssue(uploadFailure(error))
    }
  }
  const remove = () => {
    setIssue(undefined)
    setValue('imageUrl', '', { shouldDirty: true, shouldValidate: true })
    setValue('isImageRemoved', true, { shouldDirty: true })
  }
  return (
    <fieldset className="grid min-w-0 content-start gap-4">
      <legend className="mb-1.5 font-medium">Pack Image</legend>
      <TextField
        label="Image URL"
        isLabelHidden
        placeholder="Image URL"
        type="url"
        inputMode="url"
        autoComplete="off"
        error={formState.errors.imageUrl?.message}
        {...register('imageUrl')}
      />
      <ImageField
        label="Upload Image"
        hint="Recommended: 200x240 px."
        preview={<CardImage {...image} alt="Preview" icon={icon} color={color} />}
        onFile={(file) => void take(file)}
        onCropped={(file) => void take(file, src)}
        crop={canCrop(src) ? { src, aspect: pictureAspect } : undefined}
        onRemove={hasImage ? remove : undefined}
        isPending={upload.isPending}
        error={issue}
      />
      <BrokenAddress address={address} broken={broken} onBroken={setBroken} />
    </fieldset>
  )
}

interface BrokenAddressProps {
  readonly address: string
  readonly broken: string | undefined
  readonly onBroken: (address: string | undefined) => void
}

/** Tries the address before it is saved, out of sight, and says when no picture comes from it. */
function BrokenAddress({ address, broken, onBroken }: BrokenAddressProps) {
  if (address === '') return null
  return (
    <>
      <img
        key={address}
        src={address}
        alt=""
        hidden
        onError={() => onBroken(address)}
        onLoad={() => onBroken(undefined)}
      />
      {broken === address && (
        <Notice tone="warning" role="status">
          This picture cannot be loaded. Players see the icon instead.
        </Notice>
      )}
    </>
  )
}
