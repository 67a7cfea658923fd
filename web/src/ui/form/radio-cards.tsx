// One choice among cards: arrows move, a press selects.

import { RadioGroup } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from '../../lib/class-names.ts'

export interface RadioCardsProps {
  readonly label: string
  /** Empty while nothing is chosen. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly cards: readonly {
    readonly value: string
    /** Name of the choice; everything on the card is read when absent. */
    readonly label?: string
    /** Phrasing content only: the card is a button. */
    readonly content: ReactNode
  }[]
  /** Layout of the cards, a grid by default. */
  readonly className?: string
  readonly cardClassName?: string
}

export function RadioCards({
  label,
  value,
  onChange,
  cards,
  className,
  cardClassName,
}: RadioCardsProps) {
  return (
    <RadioGroup.Root
      aria-label={label}
      value={value}
      onValueChange={onChange}
      className={cn('radio-cards', className)}
    >
      {cards.map((card) => (
        <RadioGroup.Item
          key={card.value}
          value={card.value}
          aria-label={card.label}
          data-value={card.value}
          className={cn('card card-active radio-card on-card', cardClassName)}
        >
          {card.content}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
