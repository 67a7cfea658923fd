// The keys of a shortcut as they stand on the keyboard.

import { Fragment } from 'react'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
const names: Readonly<Record<string, string>> = {
  mod: isApple ? '⌘' : 'Ctrl',
  Space: 'Space',
  Escape: 'Esc',
}

function nameOf(key: string): string {
  return names[key] ?? (key.length === 1 ? key.toUpperCase() : key)
}

/** 'mod+k' reads Ctrl K held together, 'g u' reads G then U. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex flex-none items-center gap-1">
      {keys.split(' ').map((stroke, place) => (
        <Fragment key={stroke}>
          {place > 0 && <span className="text-sm text-muted">then</span>}
          {stroke.split('+').map((key) => (
            <kbd
              key={key}
              className="min-w-7 rounded-control border border-control px-1.5 py-0.5 text-center text-sm"
            >
              {nameOf(key)}
            </kbd>
          ))}
        </Fragment>
      ))}
    </span>
  )
}
