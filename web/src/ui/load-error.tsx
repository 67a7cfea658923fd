// Something could not be loaded: what, another try, and the exact answer for those who ask.

import { CloudAlert, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Card } from './card.tsx'
import { Disclosure } from './disclosure.tsx'

export interface LoadErrorProps {
  readonly title: ReactNode
  readonly description?: ReactNode
  readonly error: unknown
  readonly onRetry: () => void
  readonly isRetrying?: boolean
}

/** Without a frame: for what has failed inside a card, a dialog or a section with a border. */
export function LoadError({ title, description, error, onRetry, isRetrying }: LoadErrorProps) {
  return (
    <div
      role="alert"
      className="grid grid-cols-1 justify-items-center gap-2 px-4 py-8 text-center wrap-anywhere"
    >
      <CloudAlert aria-hidden="true" className="size-12 text-danger" />
      <p className="font-display text-xl font-semibold">{title}</p>
      {description && <p className="text-muted">{description}</p>}
      <Button tone="secondary" onClick={onRetry} isPending={isRetrying} className="mt-3">
        <RotateCw aria-hidden="true" />
        Retry
      </Button>
      <Disclosure summary="Details" className="mt-2 max-w-full text-start">
        <code className="break-all text-sm text-muted">
          {error instanceof Error ? error.message : String(error)}
        </code>
      </Disclosure>
    </div>
  )
}

/** The same in a card of its own, for what stands on the page instead of a list or a panel. */
export function LoadErrorCard(props: LoadErrorProps) {
  return (
    <Card>
      <LoadError {...props} />
    </Card>
  )
}

/** What `useQuery` answers, as far as a failure and another try are concerned. */
export interface FailedQuery {
  readonly error: unknown
  readonly isFetching: boolean
  readonly refetch: () => Promise<unknown>
}

/** A failure, and the other try that asks the same question again. */
export function askAgain({ error, isFetching, refetch }: FailedQuery) {
  return { error, onRetry: () => void refetch(), isRetrying: isFetching }
}
