// The menu that drops from a button: links, actions, and menus within.

import type { LinkProps } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { DropDownProps } from './drop-down.tsx'
import { partOnDemand, useOnDemand } from './on-demand.tsx'

/** Time the pointer rests on an item before the menu within opens, in milliseconds. */
export const subTriggerDelayMs = 100
/** Time after which typed letters start a new search among the items, in milliseconds. */
export const typeAheadResetMs = 1000

interface ItemBase {
  readonly label: string
  readonly icon?: ReactNode
}

export type MenuItem =
  | (ItemBase & { readonly to: LinkProps['to'] })
  | (ItemBase & { readonly onSelect: () => void; readonly isDestructive?: boolean })
  | (ItemBase & { readonly isChecked: boolean; readonly onChange: (isChecked: boolean) => void })
  | (ItemBase & { readonly items: readonly MenuItem[] })

export interface MenuProps {
  /** What the button opens, for those who do not see it. */
  readonly label: string
  /** Content of the button. */
  readonly trigger: ReactNode
  readonly triggerClassName?: string
  /** Stands above the items. */
  readonly header?: ReactNode
  /** Groups of items, with a line between. */
  readonly groups: readonly (readonly MenuItem[])[]
}

/** The code of the list, which tests fetch ahead. */
export const dropDown = partOnDemand<DropDownProps>(
  async () => (await import('./drop-down.tsx')).DropDown,
)

/** A button; its list is code that most visits do not need. */
export function Menu(props: MenuProps) {
  const { Component: DropDown, intent, ask } = useOnDemand(dropDown)
  const [isByKey, setByKey] = useState(false)
  if (DropDown) return <DropDown {...props} isByKey={isByKey} />

  const askByKey = (event: KeyboardEvent) => {
    if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return
    event.preventDefault()
    setByKey(true)
    ask()
  }
  return (
    <button
      {...intent}
      type="button"
      aria-label={props.label}
      aria-haspopup="menu"
      aria-expanded={false}
      data-state="closed"
      onClick={() => ask()}
      onKeyDown={askByKey}
      className={props.triggerClassName}
    >
      {props.trigger}
    </button>
  )
}
