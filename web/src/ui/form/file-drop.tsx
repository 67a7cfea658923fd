// A place for a CSV file: dropped onto it, or chosen.

import { FileSpreadsheet, Upload, X } from 'lucide-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { cn } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { IconButton } from './icon-button.tsx'

/** What is said about a file of another kind. */
export const onlyCsv = 'Only CSV files are allowed'

export interface FileDropProps {
  readonly label: string
  readonly file: File | undefined
  readonly onChange: (file: File | undefined) => void
  readonly error: string | undefined
  readonly onError: (message: string | undefined) => void
}

export function FileDrop({ label, file, onChange, error, onError }: FileDropProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const take = (chosen: File | undefined) => {
    if (!chosen) return
    const isCsv = /\.csv$/i.test(chosen.name)
    onError(isCsv ? undefined : onlyCsv)
    onChange(isCsv ? chosen : undefined)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files[0])
  }
  return (
    <div>
      <p className="mb-1.5 font-medium" id={`${id}-label`}>
        {label}
      </p>
      {file ? (
        <div className="flex items-center gap-3 rounded-control border border-secondary-graphic bg-raised p-3">
          <FileSpreadsheet aria-hidden="true" className="size-6 flex-none text-secondary-text" />
          <p className="min-w-0 flex-1">
            <span className="block truncate font-semibold">{file.name}</span>
            <span className="text-sm text-muted">{sizeOf(file)}</span>
          </p>
          <IconButton label="Choose another file" onClick={() => onChange(undefined)}>
            <X aria-hidden="true" />
          </IconButton>
        </div>
      ) : (
        <label
          className={cn(
            'grid min-h-32 cursor-pointer place-items-center gap-1 rounded-control border-2 border-dashed p-4 text-center focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-(--ring) hover:bg-raised',
            isOver ? 'border-accent-graphic bg-raised' : 'border-control',
          )}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <Upload aria-hidden="true" className="size-8 text-muted" />
          <span>
            <span className="font-semibold text-accent-text underline">Choose a CSV file</span> or
            drop it here
          </span>
          <span className="text-sm text-muted">At most 10,000 rows and 1 MB</span>
          <input
            ref={input}
            type="file"
            accept=".csv,text/csv"
            aria-labelledby={`${id}-label`}
            aria-describedby={`${id}-error`}
            aria-invalid={error === undefined ? undefined : true}
            className="sr-only"
            onChange={(event) => {
              take(event.target.files?.[0])
              // The same file can be chosen again once it has been put right.
              event.target.value = ''
            }}
          />
        </label>
      )}
      <p id={`${id}-error`} role="alert" className="mt-1.5 text-sm text-danger">
        {error}
      </p>
    </div>
  )
}

function sizeOf({ size }: File): string {
  return size < 1024 ? `${formatNumber(size)} bytes` : `${formatNumber(Math.ceil(size / 1024))} KB`
}
