// A place for a file, a CSV file where nothing else is said: dropped onto it, or chosen.

import { FileSpreadsheet, Upload, X } from 'lucide-react'
import { type DragEvent, useId, useState } from 'react'
import { cn } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { IconButton } from './button.tsx'

/** What is said about a file of another kind. */
const onlyCsv = 'Only CSV files are allowed'

const csv = {
  accept: '.csv,text/csv',
  choose: 'Choose a CSV file',
  limit: 'At most 10,000 rows and 5 MB',
}

export interface FileDropProps {
  readonly label: string
  /** Another kind of file, which whoever reads it judges. */
  readonly kind?: typeof csv
  /** The one that is shown in its place. */
  readonly file?: File | undefined
  readonly onChange: (file: File | undefined) => void
  readonly error?: string | undefined
  readonly onError?: (message: string | undefined) => void
}

export function FileDrop(props: FileDropProps) {
  const { label, kind = csv, file, onChange, error, onError } = props
  const id = useId()
  const [isOver, setOver] = useState(false)
  const take = (chosen: File | undefined) => {
    if (!chosen) return
    const isTaken = kind !== csv || /\.csv$/i.test(chosen.name)
    onError?.(isTaken ? undefined : onlyCsv)
    onChange(isTaken ? chosen : undefined)
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
          <FileSpreadsheet className="size-6 flex-none text-secondary-text" />
          <p className="min-w-0 flex-1">
            <span className="block truncate font-semibold">{file.name}</span>
            <span className="text-sm text-muted">{sizeOf(file)}</span>
          </p>
          <IconButton label="Choose another file" onClick={() => onChange(undefined)} icon={X} />
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
          <Upload className="size-8 text-muted" />
          <span>
            <span className="font-semibold text-accent-text underline">{kind.choose}</span> or drop
            it here
          </span>
          <span className="text-sm text-muted">{kind.limit}</span>
          <input
            type="file"
            accept={kind.accept}
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
