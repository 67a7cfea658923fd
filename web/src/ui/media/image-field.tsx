// A picture from the person's device: chosen, dropped or pasted, with what it looks like.

import { Crop, ImageUp, Trash2 } from 'lucide-react'
import { type DragEvent, type ReactNode, useId, useState } from 'react'
import { cn } from '../../lib/class-names.ts'
import { canCrop, imageFileIssue, readDataUrl } from '../../lib/image-file.ts'
import { Spinner } from '../feedback/spinner.tsx'
import { Notice } from '../feedback/state.tsx'
import { Button, buttonLook } from '../form/button.tsx'
import { lazyComponent, useLazy } from '../overlay/lazy-component.tsx'
import type { CropPanelProps } from './crop-panel.tsx'

export interface ImageFieldProps {
  readonly label: string
  readonly hint?: ReactNode
  /** What the picture looks like now. */
  readonly preview: ReactNode
  /** The address or data URL of that; empty for none. */
  readonly picture: string
  /** Takes a picture that can be used, and answers what `picture` is then, or fails. */
  readonly onFile: (file: File) => Promise<string>
  /** Absent while there is no picture to take away. */
  readonly onRemove: (() => void) | undefined
  /** True while the file is being read or sent. */
  readonly isPending: boolean
  /** What is said of a file that cannot be used; the reason alone when absent. */
  readonly failureOf?: (error: unknown) => string
}

const reasonOf = (error: unknown) => (error as Error).message

export function ImageField(props: ImageFieldProps) {
  const { label, hint, preview, picture, onFile, onRemove, isPending } = props
  const { failureOf = reasonOf } = props
  const id = useId()
  const [isOver, setOver] = useState(false)
  const [issue, setIssue] = useState<string>()
  // The file as it came: a part of it is sharper than one of the picture that is kept.
  const [whole, setWhole] = useState<{ readonly src: string; readonly of: string }>()
  const src = whole?.of === picture ? whole.src : picture
  const use = async (file: File, partOf?: string) => {
    const found = imageFileIssue(file)
    setIssue(found && failureOf(new Error(found)))
    if (found !== undefined) return
    try {
      const of = await onFile(file)
      setWhole({ src: partOf ?? (await readDataUrl(file)), of })
    } catch (error) {
      setIssue(failureOf(error))
    }
  }
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (file && !isPending) void use(file)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping and pasting are short cuts
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      onPaste={(event) => take(event.clipboardData.files)}
      className={cn(
        'flex gap-3 rounded-card border border-dashed p-3 sm:gap-4',
        isOver ? 'border-accent-graphic bg-raised' : 'border-control',
      )}
    >
      <div className="w-16 flex-none sm:w-24">{preview}</div>
      <div className="grid min-w-0 content-start gap-2">
        <p className="font-medium" id={`${id}-name`}>
          {label}
        </p>
        <div className="flex flex-wrap gap-2">
          <input
            id={id}
            type="file"
            accept="image/*"
            aria-labelledby={`${id}-name`}
            aria-describedby={`${id}-hint`}
            disabled={isPending}
            onChange={(event) => {
              take(event.target.files)
              // The same file can be chosen again.
              event.target.value = ''
            }}
            className="peer sr-only"
          />
          <label
            htmlFor={id}
            className={cn(
              buttonLook({ tone: 'secondary' }),
              'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-ring',
            )}
          >
            {isPending ? <Spinner /> : <ImageUp />}
            {onRemove ? 'Replace' : 'Choose image'}
          </label>
          {canCrop(src) && <CropButton src={src} onCrop={(part) => void use(part, src)} />}
          {onRemove && (
            <Button
              icon={Trash2}
              tone="ghost"
              onClick={() => {
                setIssue(undefined)
                onRemove()
              }}
              disabled={isPending}
            >
              Remove image
            </Button>
          )}
        </div>
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint} You can also drop or paste a picture here.
        </p>
        {issue && (
          <Notice tone="danger" role="alert">
            {issue}
          </Notice>
        )}
      </div>
    </div>
  )
}

/** The code of the dialog, which tests fetch ahead. */
export const cropPanel = lazyComponent(() => import('./crop-panel.tsx'), 'CropPanel')

/** It stays enabled while the code or the cropped picture is read: the focus comes back to it. */
function CropButton(crop: Omit<CropPanelProps, 'onClose'>) {
  const [isOpen, setOpen] = useState(false)
  const Panel = useLazy(cropPanel, isOpen, () => setOpen(false))
  return (
    <>
      <Button tone="ghost" {...cropPanel.intent} onClick={() => setOpen(true)}>
        {isOpen && !Panel ? <Spinner /> : <Crop />}
        Crop
      </Button>
      {isOpen && Panel && <Panel {...crop} onClose={() => setOpen(false)} />}
    </>
  )
}
