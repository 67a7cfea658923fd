// Views of one thing, one at a time.

import { Tabs as Primitive } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'
import { showAmongNeighbours } from './tab-strip.ts'

export interface TabsProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** True keeps what is typed in those that are not shown. */
  readonly keepsHidden?: boolean
  readonly tabs: readonly {
    readonly value: string
    readonly label: ReactNode
    readonly content: ReactNode
  }[]
}

export function Tabs({ label, value, onChange, keepsHidden = false, tabs }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => showAmongNeighbours(list.current, value), [value])
  return (
    <Primitive.Root value={value} onValueChange={onChange}>
      <Primitive.List
        ref={list}
        aria-label={label}
        className="fade-end mb-6 flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            data-tab={tab.value}
            onFocus={(event) => {
              // An arrow key opens a tab; the focus that a closed question gives back does not.
              if (event.relatedTarget?.getAttribute('role') !== 'tab') event.preventDefault()
            }}
            className="relative min-h-11 flex-none px-4 font-display font-semibold text-muted -outline-offset-2 hover:text-ink data-[state=active]:text-ink data-[state=active]:after:absolute data-[state=active]:after:inset-x-2 data-[state=active]:after:bottom-0 data-[state=active]:after:border-b-3 data-[state=active]:after:border-primary-graphic"
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content
          key={tab.value}
          value={tab.value}
          {...(keepsHidden && { forceMount: true, hidden: tab.value !== value })}
        >
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  )
}
