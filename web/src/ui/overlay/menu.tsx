// The menu that drops from a button: links, actions, and menus within.

import { type ComponentPropsWithRef, type KeyboardEvent, useState } from 'react'
import { IconButton } from '../form/button.tsx'
import type { MenuProps } from './drop-down.tsx'
import { lazyComponent, useLazy } from './lazy-component.tsx'

/** The code of the list, which tests fetch ahead. */
export const dropDown = lazyComponent(() => import('./drop-down.tsx'), 'DropDown')

/** A button; its list is code that most visits do not need. */
export function Menu({ header, groups, ...look }: MenuProps) {
  const [openedBy, setOpenedBy] = useState<'press' | 'key'>()
  const DropDown = useLazy(dropDown, openedBy !== undefined, () => setOpenedBy(undefined))
  if (DropDown) {
    const button = <MenuButton {...look} />
    return <DropDown {...{ button, header, groups }} isByKey={openedBy === 'key'} />
  }

  const askByKey = (event: KeyboardEvent) => {
    if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return
    event.preventDefault()
    setOpenedBy('key')
  }
  return (
    <MenuButton
      {...look}
      {...dropDown.intent}
      aria-haspopup="menu"
      aria-expanded={false}
      data-state="closed"
      onClick={() => setOpenedBy('press')}
      onKeyDown={askByKey}
    />
  )
}

type MenuButtonProps = Omit<MenuProps, 'header' | 'groups'> & ComponentPropsWithRef<'button'>

function MenuButton({ label, tone, trigger, triggerClassName, ...rest }: MenuButtonProps) {
  if (tone) return <IconButton {...{ ...rest, label, tone }}>{trigger}</IconButton>
  return (
    <button {...rest} type="button" aria-label={label} className={triggerClassName}>
      {trigger}
    </button>
  )
}
