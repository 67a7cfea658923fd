// The last messages again, for those that were replaced before they could be read.

import { X } from 'lucide-react'
import { CopyButton } from './copy-button.tsx'
import { IconButton } from './icon-button.tsx'
import type { LogEntry, ToastContent } from './toast-state.ts'

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

function textOf({ title, description, detail }: ToastContent): string {
  return [title, description, detail].filter(Boolean).join('\n')
}

export interface MessageLogProps {
  /** Newest first. */
  readonly log: readonly LogEntry[]
  readonly onClose: () => void
}

export function MessageLog({ log, onClose }: MessageLogProps) {
  return (
    <section
      aria-label="Message log"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
      className="card on-card pointer-events-auto relative max-h-[60dvh] w-full overflow-y-auto p-4 shadow-[0_12px_32px_-8px_rgb(0_0_0/60%)]"
    >
      <h2 className="pe-10 text-lg">Last messages</h2>
      <IconButton label="Close message log" onClick={onClose} className="absolute end-2 top-2">
        <X aria-hidden="true" />
      </IconButton>
      {log.length === 0 && <p className="mt-2 text-muted">No messages yet.</p>}
      <ol className="mt-2 divide-y divide-line">
        {log.map(({ id, atMs, content }) => (
          <li key={id} className="flex items-start gap-3 py-3">
            <div className="min-w-0 flex-1">
              <p className="font-semibold">{content.title}</p>
              {content.description && <p className="break-words">{content.description}</p>}
              <p className="text-sm text-muted tabular-nums">
                {timeFormat.format(atMs)}
                {content.variant === 'destructive' && ' · Error'}
              </p>
            </div>
            {content.variant === 'destructive' && (
              <CopyButton text={textOf(content)} label={`Copy message: ${content.title}`} />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
