// One box that finds places, people and actions by typing a few letters.

import { Command } from 'cmdk'
import { CornerDownLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { Keys } from './keys.tsx'
import { Spinner } from './spinner.tsx'

export interface PaletteItem {
  /** Names the item among all of them. */
  readonly id: string
  readonly label: string
  /** Other words by which it is found. */
  readonly keywords?: readonly string[]
  readonly icon?: ReactNode
  /** Stands at the end, for example where it leads. */
  readonly hint?: ReactNode
  /** The keys that do the same. */
  readonly keys?: string
  /** True for what was found elsewhere for what is typed; it is shown as it came. */
  readonly isFound?: boolean
  readonly onSelect: () => void
}

export interface PaletteGroup {
  readonly heading: string
  readonly items: readonly PaletteItem[]
}

export interface CommandPaletteProps {
  readonly onClose: () => void
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly placeholder: string
  readonly groups: readonly PaletteGroup[]
  /** True while something is still being looked for. */
  readonly isSearching?: boolean
}

/** Open as long as it is mounted. Choosing closes it first, so that the focus is free. */
export function CommandPalette(props: CommandPaletteProps) {
  const { onClose, search, onSearch, placeholder, groups, isSearching = false } = props
  const choose = (item: PaletteItem) => {
    onClose()
    item.onSelect()
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Command palette"
      isHeaderHidden
      className="mt-[12dvh] mb-auto overflow-hidden p-0"
    >
      <Command label="Command palette" loop className="flex max-h-[70dvh] flex-col">
        <div className="flex items-center border-b border-line pe-14">
          <Command.Input
            value={search}
            onValueChange={onSearch}
            placeholder={placeholder}
            className="min-h-16 min-w-0 flex-1 bg-transparent px-5 text-lg -outline-offset-4 placeholder:text-muted"
          />
          {isSearching && <Spinner />}
        </div>
        <Command.List className="overflow-y-auto overscroll-contain p-2 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-2 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-muted">
          <Command.Empty className="px-3 py-8 text-center text-muted">
            {isSearching ? 'Searching...' : 'Nothing found'}
          </Command.Empty>
          {groups.map(({ heading, items }) =>
            items.length === 0 ? null : (
              <Command.Group key={heading} heading={heading}>
                {items.map((item) => (
                  <Command.Item
                    key={item.id}
                    // The engine weighs an item again only when its value changes.
                    value={item.isFound ? `${item.id} ${search}` : item.id}
                    keywords={[item.label, ...(item.keywords ?? [])]}
                    onSelect={() => choose(item)}
                    className="group flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 data-[selected=true]:bg-raised data-[selected=true]:shadow-[inset_0_0_0_2px_var(--ring)] [&>svg]:size-5 [&>svg]:flex-none"
                  >
                    {item.icon}
                    <span className="min-w-0 flex-1 truncate">{item.label}</span>
                    {item.hint && (
                      <span className="min-w-0 max-w-[45%] truncate text-sm text-muted">
                        {item.hint}
                      </span>
                    )}
                    {item.keys && <Keys keys={item.keys} />}
                    <CornerDownLeft
                      aria-hidden="true"
                      className="invisible text-muted group-data-[selected=true]:visible"
                    />
                  </Command.Item>
                ))}
              </Command.Group>
            ),
          )}
        </Command.List>
      </Command>
    </Dialog>
  )
}
