// A text in a card: a long one is folded after three lines, and can be read in full.

import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { cn } from '../../lib/class-names.ts'
import { Button } from '../form/button.tsx'

/** Lines shown of a long text. */
const linesShown = 3
/** Characters that certainly fit into one line of a card. */
const lineLength = 45

/** Whether a text takes more lines than are shown; lines are estimated by their length. */
export function isLongText(text: string): boolean {
  const lines = text
    .trim()
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineLength)), 0)
  return lines > linesShown
}

export interface LongTextProps {
  readonly text: string
  readonly className?: string
}

export function LongText({ text, className }: LongTextProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const isLong = isLongText(text)
  return (
    <div>
      <p
        id={id}
        className={cn(
          'whitespace-pre-line break-words',
          className,
          isLong && !isOpen && 'line-clamp-3',
        )}
      >
        {text.trim()}
      </p>
      {isLong && (
        <Button
          tone="faint"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="-ms-4.5"
        >
          <ChevronDown className={cn('transition-transform', isOpen && 'rotate-180')} />
          {isOpen ? 'Show less' : 'Show all'}
        </Button>
      )}
    </div>
  )
}
