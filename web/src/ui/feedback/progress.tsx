// How far something has come, 0 to 100.

import { Progress as Primitive } from 'radix-ui'
import { cn } from '../../lib/class-names.ts'

/** What counts as done. */
export const progressMax = 100

export interface ProgressProps {
  readonly label: string
  /** 0 to 100; what lies beyond is drawn as the end. */
  readonly value: number
  /** The value in words, read instead of the percentage. */
  readonly valueText?: string
  readonly className?: string
}

export function Progress({ label, value, valueText, className }: ProgressProps) {
  const shown = Math.min(progressMax, Math.max(0, value))
  return (
    <Primitive.Root
      aria-label={label}
      value={shown}
      max={progressMax}
      getValueLabel={(now, max) => valueText ?? `${Math.round((now / max) * 100)}%`}
      className={cn('progress', className)}
    >
      <Primitive.Indicator
        className="size-full origin-left bg-secondary-graphic transition-transform duration-slow rtl:origin-right"
        style={{ transform: `scaleX(${shown / progressMax})` }}
      />
    </Primitive.Root>
  )
}
