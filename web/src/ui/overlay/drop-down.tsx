// The list of a menu, and its button from the first opening on.

import { Link, type LinkProps } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type FocusEvent, Fragment, type ReactNode, useRef, useState } from 'react'
import { cn } from '../../lib/class-names.ts'
import type { ButtonLook } from '../form/button.tsx'

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
  readonly trigger: ReactNode
  /** Of a button that shows only an icon: its label is a tooltip as well. */
  readonly tone?: ButtonLook['tone']
  readonly triggerClassName?: string
  readonly header?: ReactNode
  /** Groups of items, with a line between. */
  readonly groups: readonly (readonly MenuItem[])[]
}

const panel =
  'card on-card panel-center fade-below z-toast max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-[calc(100vw-1rem)] overflow-y-auto p-1 shadow-[0_12px_32px_-8px_rgb(0_0_0/60%)]'

const row =
  'flex min-h-11 w-full cursor-pointer select-none items-center gap-3 rounded-control px-3 py-2 text-ink no-underline outline-none data-[highlighted]:bg-raised data-[highlighted]:shadow-[inset_0_0_0_2px_var(--ring)] [&>svg]:size-5'

interface DropDownProps extends Pick<MenuProps, 'header' | 'groups'> {
  readonly button: ReactNode
  /** True when a key has opened it, which then stands on the first item. */
  readonly isByKey: boolean
}

/** Open from the start: it comes when its button was pressed. */
export function DropDown({ button, header, groups, isByKey }: DropDownProps) {
  const isToFirst = useRef(isByKey)
  const [landmark, setLandmark] = useState<HTMLElement>()
  // The list stands in the landmark of its button, where those who go from one to the next find it;
  // above a dialog, which hides what is behind it, at the end of the page.
  const seekLandmark = (button: HTMLButtonElement | null) => {
    if (!button) return
    const isInDialog = button.closest('[role=dialog]') !== null
    const around = isInDialog ? null : button.closest<HTMLElement>('header, main')
    setLandmark(around ?? document.body)
  }
  const toFirst = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    if (!isToFirst.current || target !== currentTarget) return
    isToFirst.current = false
    currentTarget.querySelector<HTMLElement>('[role^="menuitem"]')?.focus()
  }
  return (
    // Not modal: a modal one locks scrolling with a style element, which the page's policy refuses.
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger ref={seekLandmark} asChild>
        {button}
      </DropdownMenu.Trigger>
      {landmark && (
        <DropdownMenu.Portal container={landmark}>
          <DropdownMenu.Content
            align="end"
            sideOffset={8}
            collisionPadding={8}
            onFocus={toFirst}
            className={panel}
          >
            {header && <DropdownMenu.Label className="px-3 py-2">{header}</DropdownMenu.Label>}
            {groups.map((group, index) => (
              <Fragment key={group[0]?.label}>
                {(index > 0 || header) && (
                  <DropdownMenu.Separator className="mx-1 my-1 border-t border-line" />
                )}
                {group.map((item) => (
                  <Item key={item.label} item={item} />
                ))}
              </Fragment>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      )}
    </DropdownMenu.Root>
  )
}

function Item({ item }: { readonly item: MenuItem }) {
  if ('to' in item) {
    return (
      <DropdownMenu.Item asChild textValue={item.label}>
        <Link to={item.to} className={row}>
          {item.icon}
          {item.label}
        </Link>
      </DropdownMenu.Item>
    )
  }
  if ('isChecked' in item) {
    return (
      <DropdownMenu.CheckboxItem
        checked={item.isChecked}
        onCheckedChange={item.onChange}
        className={row}
      >
        {item.icon}
        {item.label}
        <span aria-hidden="true" className="ms-auto ps-3 text-sm text-muted">
          {item.isChecked ? 'on' : 'off'}
        </span>
      </DropdownMenu.CheckboxItem>
    )
  }
  if ('items' in item) {
    return (
      <DropdownMenu.Sub>
        <DropdownMenu.SubTrigger className={row}>
          {item.icon}
          {item.label}
          <ChevronRight className="ms-auto" />
        </DropdownMenu.SubTrigger>
        <DropdownMenu.Portal>
          <DropdownMenu.SubContent collisionPadding={8} className={panel}>
            {item.items.map((inner) => (
              <Item key={inner.label} item={inner} />
            ))}
          </DropdownMenu.SubContent>
        </DropdownMenu.Portal>
      </DropdownMenu.Sub>
    )
  }
  return (
    <DropdownMenu.Item
      onSelect={item.onSelect}
      className={cn(row, item.isDestructive && 'text-danger')}
    >
      {item.icon}
      {item.label}
    </DropdownMenu.Item>
  )
}
