// The list of shortcuts that the open page offers, and the switch for those of a single key.

import { useSwitch } from '../lib/browser-switch.ts'
import { SwitchField } from '../ui/form/toggle-fields.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { Keys } from '../ui/overlay/keys.tsx'
import { type Shortcut, singleKeys, useShortcuts } from '../ui/overlay/shortcuts.ts'

/** Keys that belong to one thing on the page and count while it has the focus. */
const inTables: readonly Omit<Shortcut, 'run'>[] = [
  { keys: 'j', label: 'Next row (or arrow down)', group: 'In a row of a table' },
  { keys: 'k', label: 'Previous row (or arrow up)', group: 'In a row of a table' },
  { keys: 'x', label: 'Select the row (or Space)', group: 'In a row of a table' },
  { keys: 'Enter', label: 'Open the row', group: 'In a row of a table' },
  { keys: 'Escape', label: 'Clear the selection', group: 'In a row of a table' },
]

const messages = { keys: 'F8', label: 'Go to the messages', group: 'Everywhere' }

/** One entry for equal keys: the newest is the one that counts. */
function grouped(shortcuts: readonly Omit<Shortcut, 'run'>[]) {
  const groups = new Map<string, Map<string, string>>()
  for (const { keys, label, group } of shortcuts) {
    const entries = groups.get(group) ?? new Map<string, string>()
    groups.set(group, entries.set(keys, label))
  }
  return [...groups].map(([heading, entries]) => ({ heading, entries: [...entries] }))
}

export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  const shortcuts = useShortcuts()
  const isOn = useSwitch(singleKeys)
  return (
    <Dialog onOpenChange={onClose} title="Keyboard shortcuts" isWide>
      <SwitchField
        label="Shortcuts without Ctrl or Command"
        hint="Off while you type."
        isOn={isOn}
        onChange={singleKeys.set}
      />
      <div className="mt-5 gap-8 md:columns-2">
        {grouped([...shortcuts, messages, ...inTables]).map(({ heading, entries }) => (
          <section key={heading} aria-label={heading} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 text-lg">{heading}</h3>
            <dl>
              {entries.map(([keys, label]) => (
                <div
                  key={keys}
                  className="flex min-h-11 items-center justify-between gap-4 border-b border-line"
                >
                  <dt>{label}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
