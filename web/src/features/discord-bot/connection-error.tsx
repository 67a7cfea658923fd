// The box in place of the bot's settings when they cannot be loaded.

import { RotateCw, Unplug } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'

export interface ConnectionErrorProps {
  readonly error: unknown
  readonly onRetry: () => void
  readonly isRetrying: boolean
}

export function ConnectionError({ error, onRetry, isRetrying }: ConnectionErrorProps) {
  return (
    <Card role="alert" className="grid justify-items-center gap-2 border-danger py-8 text-center">
      <Unplug aria-hidden="true" className="size-12 text-danger" />
      <h3 className="text-xl">Connection Error</h3>
      <p className="text-muted">Could not load the bot settings.</p>
      <Button tone="secondary" onClick={onRetry} isPending={isRetrying} className="mt-3">
        <RotateCw aria-hidden="true" />
        Retry Connection
      </Button>
      <Disclosure summary="Details" className="mt-2 max-w-full text-start">
        <code className="break-all text-sm text-muted">
          {error instanceof Error ? error.message : String(error)}
        </code>
      </Disclosure>
    </Card>
  )
}
