// Says that something is under way.

import { cn } from '../../lib/class-names.ts'

/** A turning ring in the colour of the text around it; silent, the text says what is going on. */
export function Spinner({ className }: { readonly className?: string }) {
  return <span aria-hidden="true" className={cn('spinner-ring animate-spin', className)} />
}

export interface SpinnerPageProps {
  readonly label?: string
  /** True shows the label under the ring. */
  readonly isLabelShown?: boolean
}

/** The whole page waits. */
export function SpinnerPage({ label = 'Loading', isLabelShown = false }: SpinnerPageProps) {
  return (
    <div
      role="status"
      className="grid min-h-[60dvh] place-content-center justify-items-center gap-4"
    >
      <Spinner className="text-[3rem] text-primary-graphic" />
      <p className={isLabelShown ? 'text-muted' : 'sr-only'}>{label}</p>
    </div>
  )
}
