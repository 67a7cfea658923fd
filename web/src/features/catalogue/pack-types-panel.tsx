// The Pack Types tab: every pack type as a card, and the dialogs that make and change them.

import {
  type AdminPackType,
  adminPackTypesContract,
  CreatePackTypeRequest,
  packColorOf,
  packIconDefault,
  packThemes,
} from '@redpack/contract'
import { Boxes, Image, ImageOff, Pencil, Trash2 } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useController } from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError, httpTextOf, messageOf } from '../../lib/api-error.ts'
import { useCall } from '../../lib/use-call.ts'
import { toastFailed } from '../../ui/feedback/outcome.ts'
import { Badge, EmptyCard, Notice } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { ColorField } from '../../ui/form/color-field.tsx'
import { fieldOf, fillEmptied, useEmptied } from '../../ui/form/form-fields.tsx'
import { draftRules } from '../../ui/form/kept-draft.ts'
import { editOf, useRecordForm } from '../../ui/form/record-form.ts'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx'
import { LongText } from '../../ui/layout/long-text.tsx'
import {
  type RecordDialogProps,
  type RecordListProps,
  RecordPanel,
} from '../../ui/layout/record-panel.tsx'
import { ImageField } from '../../ui/media/image-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { KeptCards } from '../../ui/table/deleted-rows.tsx'
import { DeletedLink, useDeletion } from '../audit/shared/deletion.tsx'
import { CardImage } from '../packs/shared/card-image.tsx'
import { PackIcon } from '../packs/shared/pack-icon.tsx'
import {
  noteSaved,
  useAdminPackTypes,
  useIsUploading,
  usePackTypeImage,
  useUploadImage,
} from './pack-type-queries.ts'

interface PackTypeLookProps {
  readonly form: PackTypeFormReturn
}

/** The hex that a typed colour stands for; the two themes that stay names have one as well. */
function hexOf(typed: string): string | undefined {
  if (typed.trim() === '') return undefined
  const color = packColorOf(typed)
  return color === undefined ? undefined : (packThemes[color] ?? color)
}

/** A field that counts as something once it is left empty. */
function useCountedField(form: PackTypeFormReturn, name: keyof typeof countedInPackType) {
  const { field, fieldState } = useController({ control: form.control, name })
  const { shown, hint, onFocus, onLeave } = useEmptied(field.value, countedInPackType[name])
  const onBlur = () => {
    onLeave()
    field.onBlur()
  }
  const error = fieldState.error?.message
  return { field, props: { name, value: shown, hint, error, onFocus, onBlur } }
}

function PackTypeLook({ form }: PackTypeLookProps) {
  const { field, props } = useCountedField(form, 'color')
  return (
    <>
      <ColorField
        label="Color"
        {...props}
        onChange={field.onChange}
        inputRef={field.ref}
        hexOf={hexOf}
        hint={props.hint ?? 'A name such as purple or teal, or hex such as #0080FF.'}
      />
      <IconFields form={form} />
    </>
  )
}

const otherIcon = 'other'
const iconLabels: Readonly<Record<string, string>> = {
  package: 'Package',
  gift: 'Gift',
  box: 'Box',
  dice: 'Dice',
}

/** A select of four, and a field for an emoji or another name. */
function IconFields({ form }: PackTypeLookProps) {
  const { field, props } = useCountedField(form, 'icon')
  const isListed = packIcons.some((icon) => icon === field.value)
  return (
    <div className="flex items-start gap-4">
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-4 sm:grid-cols-2">
        <SelectField
          label="Icon"
          choices={[
            ...packIcons.map((icon) => ({ value: icon, label: iconLabels[icon] ?? icon })),
            { value: otherIcon, label: 'Emoji or other', isDisabled: isListed },
          ]}
          value={isListed ? field.value : otherIcon}
          onChange={(event) => field.onChange(event.target.value)}
        />
        <TextField
          ref={field.ref}
          label="Emoji or icon name"
          {...props}
          onChange={(event) => field.onChange(event.target.value)}
        />
      </div>
      <span className="mt-7.5 grid size-11 flex-none place-items-center rounded-control border border-line bg-raised">
        <PackIcon name={field.value} className="text-[1.75rem]" />
      </span>
    </div>
  )
}

interface PackTypeImageFieldProps {
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

function PackTypeImageField({ form, packType }: PackTypeImageFieldProps) {
  const upload = useUploadImage()
  const { watch, setValue } = form
  const [imageUrl, isRemoved, icon, color] = watch(['imageUrl', 'isImageRemoved', 'icon', 'color'])
  const stored = usePackTypeImage(isRemoved ? undefined : packType)
  const address = imageUrl.trim()
  const isOwn = address === packType?.imageUrl
  const image = address === '' || isOwn ? stored : { imageUrl: address }
  const hasImage = address !== '' || Boolean(stored.imageData)

  const take = async (file: File) => {
    const { url } = await upload.mutateAsync(file)
    setValue('imageUrl', url, { shouldDirty: true, shouldValidate: true })
    return url
  }
  const remove = () => {
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
        {...fieldOf(form, 'imageUrl')}
      />
      <ImageField
        label="Upload Image"
        hint="Recommended: 200x240 px."
        preview={<CardImage {...image} alt="Preview" icon={icon} color={color} />}
        picture={address === '' || isOwn ? (stored.imageData ?? stored.imageUrl ?? '') : address}
        onFile={take}
        onRemove={hasImage ? remove : undefined}
        isPending={upload.isPending}
        failureOf={uploadFailure}
      />
      <BrokenAddress address={address} />
    </fieldset>
  )
}

/** Tries the address before it is saved, out of sight, and says when no picture comes from it. */
function BrokenAddress({ address }: { readonly address: string }) {
  const [broken, setBroken] = useState<string>()
  if (address === '') return null
  return (
    <>
      <img
        key={address}
        src={address}
        alt=""
        hidden
        onError={() => setBroken(address)}
        onLoad={() => setBroken(undefined)}
      />
      {broken === address && (
        <Notice tone="warning" role="status">
          This picture cannot be loaded. Players see the icon instead.
        </Notice>
      )}
    </>
  )
}

const grid = 'grid list-none grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4 p-0'
const nameOf = ({ name }: AdminPackType) => name

export function PackTypesPanel() {
  const packTypes = useAdminPackTypes()
  return (
    <RecordPanel
      headingId="pack-types-heading"
      heading="Pack Types Management"
      name="packType"
      addLabel="Add Pack Type"
      query={packTypes}
      what="pack types"
      label="Loading pack types..."
      isLabelShown
      skeleton={Array(4).fill('h-60')}
      className={grid}
      deletedLink={<DeletedLink action="pack_type.delete">Deleted pack types</DeletedLink>}
      dialog={(props) => <PackTypeDialog {...props} />}
    >
      {(list) => <PackTypeGrid {...list} />}
    </RecordPanel>
  )
}

function PackTypeGrid({ rows: packTypes, onEdit }: RecordListProps<AdminPackType>) {
  const [refused, setRefused] = useState<{ readonly id: number; readonly reason: string }>()
  const onError = useCallback((error: unknown, { id }: AdminPackType) => {
    // The message goes; on the card the reason stays.
    const reason = messageOf(error, httpTextOf(error))
    toastFailed('Error deleting pack type', new Error(`${reason} (${httpTextOf(error)})`), reason)
    setRefused({ id, reason })
  }, [])
  const deleted = useDeletion('pack_type.delete', packTypes, {
    headingId: 'pack-types-heading',
    nameOf,
    onError,
  })
  const onDelete = (packType: AdminPackType) => {
    setRefused(undefined)
    void deleted.remove(packType)
  }
  if (deleted.rows.length === 0) {
    return (
      <EmptyCard
        picture={<Boxes />}
        title="No Pack Types Found"
        description="Create your first pack type to get started."
      />
    )
  }
  return (
    <KeptCards label="Pack types" deleted={deleted} className={grid}>
      {(packType) => (
        <PackTypeCard
          packType={packType}
          onEdit={() => onEdit(packType)}
          onDelete={() => onDelete(packType)}
          refused={refused?.id === packType.id ? refused.reason : undefined}
        />
      )}
    </KeptCards>
  )
}

function PackTypeDialog({ record, isGone, onClose }: RecordDialogProps<AdminPackType>) {
  const { form, dialog } = usePackTypeForm(record, isGone, onClose)
  const isUploading = useIsUploading()
  return (
    <FormDialog
      {...dialog}
      isWide
      onClose={onClose}
      title={record ? 'Edit Pack Type' : 'Add Pack Type'}
      submitLabel={record ? 'Save changes' : 'Create pack type'}
      pendingLabel={isUploading ? 'Uploading picture...' : 'Saving...'}
      isPending={dialog.isPending || isUploading}
    >
      <div className="grid grid-cols-1 gap-x-8 gap-y-5 lg:grid-cols-2">
        <div className="grid content-start gap-5">
          <TextField label="Pack Type Name" required {...fieldOf(form, 'name')} />
          <TextAreaField label="Description" rows={3} {...fieldOf(form, 'description')} />
          <PackTypeLook form={form} />
        </div>
        <PackTypeImageField form={form} packType={record} />
      </div>
    </FormDialog>
  )
}

interface PackTypeCardProps {
  readonly packType: AdminPackType
  readonly onEdit: () => void
  readonly onDelete: () => void
  /** Why its deletion was refused. */
  readonly refused: string | undefined
}

function PackTypeCard({ packType, onEdit, onDelete, refused }: PackTypeCardProps) {
  const { id, name, description, icon, color, hasImage } = packType
  const image = usePackTypeImage(packType)
  const titleId = `pack-type-${id}`
  const hex = packThemes[color] ?? color
  return (
    <article aria-labelledby={titleId} className="card on-card flex h-full flex-col gap-4 p-4">
      <div className="flex gap-4">
        <CardImage {...image} {...{ icon, color }} className="w-24 flex-none self-start" />
        <div className="min-w-0">
          <h3 id={titleId} className="break-words text-lg">
            {name}
          </h3>
          <p className="text-sm text-muted tabular-nums">#{id}</p>
          {description !== '' && <LongText text={description} className="mt-2 text-muted" />}
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="flex min-w-0 items-center gap-2 text-sm">
          <span
            aria-hidden="true"
            data-color={color}
            className="size-6 flex-none rounded-full border border-control"
            style={{ backgroundColor: hex }}
          />
          <span className="break-all">{hex}</span>
        </span>
        {hasImage ? (
          <Badge tone="success" icon={<Image />}>
            Has Image
          </Badge>
        ) : (
          <Badge tone="idle" icon={<ImageOff />}>
            Default
          </Badge>
        )}
      </div>
      <div className="mt-auto grid grid-cols-2 gap-2 border-t border-line pt-3">
        <Button icon={Pencil} tone="secondary" onClick={onEdit}>
          <span>
            Edit <span className="sr-only">{name}</span>
          </span>
        </Button>
        <Button icon={Trash2} tone="ghost" onClick={onDelete} className="text-danger">
          <span>
            Delete <span className="sr-only">{name}</span>
          </span>
        </Button>
      </div>
      {/* Below the buttons, which stay where they were pressed. */}
      {refused && (
        <Notice tone="danger" role="alert">
          {refused}
        </Notice>
      )}
    </article>
  )
}

/** What a new pack type is shown in. */
const formColorDefault = '#0080FF'

/** The icons of the select; any other goes into the field beside it. */
export const packIcons = ['package', 'gift', 'box', 'dice'] as const

export const countedInPackType = { color: formColorDefault, icon: packIconDefault }

export interface PackTypeDraft extends Omit<AdminPackType, 'id' | 'hasImage'> {
  /** Empty for no picture, or while the picture is a stored one. */
  readonly imageUrl: string
  /** True once the stored picture was taken away. */
  readonly isImageRemoved: boolean
}

const newPackType = { name: '', description: '', imageUrl: '', ...countedInPackType }

function packTypeDraftOf(packType: AdminPackType | undefined): PackTypeDraft {
  if (packType === undefined) return { ...newPackType, isImageRemoved: false }
  const { id, hasImage, ...typed } = packType
  return { ...typed, imageUrl: typed.imageUrl ?? '', isImageRemoved: false }
}

const PackTypeForm = draftRules(
  ({ isImageRemoved, ...draft }: PackTypeDraft): z.input<typeof CreatePackTypeRequest> => ({
    ...draft,
    ...(isImageRemoved && draft.imageUrl.trim() === '' && { imageData: null }),
  }),
  CreatePackTypeRequest,
)
export type PackTypeRequest = z.infer<typeof PackTypeForm>

/** What an edit sends. An absent key leaves the picture alone; an empty address removes it. */
function packTypeChangeOf(request: PackTypeRequest, packType: AdminPackType) {
  const isRemoved = request.imageData === null
  return {
    ...editOf(request, packType, ['imageData']),
    ...(isRemoved && { imageUrl: request.imageUrl }),
  }
}

export type PackTypeFormReturn = ReturnType<typeof usePackTypeForm>['form']

/** The server's sentence; an answer without any has only its status, which the fallback names. */
function toastFailure(packType: AdminPackType | undefined, error: unknown): void {
  const word = packType ? 'updat' : 'creat'
  const isSilent = error instanceof ApiError && error.serverMessage === ''
  const status =
    packType && error instanceof ApiError ? `: ${error.status} ${error.statusText}` : ''
  toastFailed(
    `Error ${word}ing pack type`,
    isSilent ? undefined : error,
    `Failed to ${word}e pack type${status}`,
  )
}

/** Edits `packType`, or creates one when it is absent; `onDone` is called once it is saved. */
export function usePackTypeForm(
  packType: AdminPackType | undefined,
  isGone: boolean,
  onDone: () => void,
) {
  const { mutateAsync: create } = useCall(adminPackTypesContract.create)
  const { mutateAsync: update } = useCall(adminPackTypesContract.update)
  const stored = useMemo(() => packTypeDraftOf(packType), [packType])
  return useRecordForm<PackTypeDraft, PackTypeRequest>({
    ...{ thing: 'pack type', stored, rules: PackTypeForm, isGone, onDone },
    id: packType?.id ?? 'new',
    create: (body) => create({ body }),
    edit: packType && {
      changeOf: (request) => packTypeChangeOf(request, packType),
      send: async (body) => noteSaved((await update({ params: { id: packType.id }, body })).id),
    },
    onError: (error) => toastFailure(packType, error),
    isHeldBack: (form) => fillEmptied(form, () => countedInPackType),
  })
}
