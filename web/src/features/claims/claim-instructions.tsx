// What a winner has to do to get a prize; a long text is folded after three lines.

import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { cn } from '../../lib/class-names.ts'
import { Button } from '../../ui/button.tsx'

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

export function ClaimInstructions({ text }: { readonly text: string }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const isLong = isLongText(text)
  return (
    <div>
      <h4 className="text-sm font-semibold text-muted">How to Claim</h4>
      <p
        id={id}
        className={cn('mt-1 whitespace-pre-line break-words', isLong && !isOpen && 'line-clamp-3')}
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
          <ChevronDown
            aria-hidden="true"
            className={cn('transition-transform', isOpen && 'rotate-180')}
          />
          {isOpen ? 'Show less' : 'Show all'}
        </Button>
      )}
    </div>
  )
}
