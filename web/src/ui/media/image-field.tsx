// A picture from the person's device: chosen, dropped or pasted, with what it looks like.

import { Crop, ImageUp, Trash2 } from 'lucide-react'
import { type DragEvent, type ReactNode, useId, useState } from 'react'
import { cn } from '../../lib/class-names.ts'
import { Notice } from '../feedback/notice.tsx'
import { Spinner } from '../feedback/spinner.tsx'
import { Button, buttonLook } from '../form/button.tsx'
import { lazyComponent, useLazy } from '../overlay/lazy-component.tsx'
import type { CropPanelProps } from './crop-panel.tsx'

export interface ImageFieldProps {
  readonly label: string
  readonly hint?: ReactNode
  /** What the picture looks like now. */
  readonly preview: ReactNode
  readonly onFile: (file: File) => void
  /** Absent while there is no picture to take away. */
  readonly onRemove?: () => void
  /** How the picture can be cropped; absent while there is none, or none that can be. */
  readonly crop?: Omit<CropPanelProps, 'onClose' | 'onCrop'>
  /** Takes what is left after cropping. */
  readonly onCropped?: (file: File) => void
  /** True while the file is being read or sent. */
  readonly isPending?: boolean
  /** What went wrong with the last file. */
  readonly error?: string
}

/** Takes images only; whether one is fit for use is the caller's to say through `error`. */
export function ImageField(props: ImageFieldProps) {
  const { label, hint, preview, onFile, onRemove, crop, isPending = false, error } = props
  const id = useId()
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (file && !isPending) onFile(file)
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
          {crop && <CropButton {...crop} onCrop={props.onCropped ?? onFile} />}
          {onRemove && (
            <Button icon={Trash2} tone="ghost" onClick={onRemove} disabled={isPending}>
              Remove image
            </Button>
          )}
        </div>
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint} You can also drop or paste a picture here.
        </p>
        {error && (
          <Notice tone="danger" role="alert">
            {error}
          </Notice>
        )}
      </div>
    </div>
  )
}

/** The code of the dialog, which tests fetch ahead. */
export const cropPanel = lazyComponent<CropPanelProps>(
  async () => (await import('./crop-panel.tsx')).CropPanel,
)

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
