// Miniatures of real screens, painted in the theme that is being made.

import { deriveThemePalette, paletteVariables, type Theme } from '@redpack/contract'
import { Coins, Gift, Package } from 'lucide-react'
import type { ReactNode } from 'react'
import { brand } from '../../lib/brand.ts'
import { Badge } from '../../ui/feedback/badge.tsx'

export function ThemePreview({ theme }: { readonly theme: Theme }) {
  return (
    <section
      aria-label="Live preview"
      data-theme-preview
      style={paletteVariables(deriveThemePalette(theme))}
      className="on-page grid gap-4 rounded-card border border-line bg-surface p-4 text-ink"
    >
      <Bar />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <PackCard />
        <StoreCard />
      </div>
    </section>
  )
}

function Bar() {
  return (
    <div className="flex items-center justify-between gap-3 border-b border-line pb-3">
      <span className="font-display text-lg font-bold text-primary-text">{brand.name}</span>
      <span className="flex items-center gap-1.5 rounded-full border border-control px-3 py-1 text-sm tabular-nums">
        <Coins aria-hidden="true" className="size-4 text-accent-text" />
        1,250
      </span>
    </div>
  )
}

function Part({ children }: { readonly children: ReactNode }) {
  return <div className="card on-card grid content-start gap-3 p-4">{children}</div>
}

/** Looks like a button and is none: nothing happens here. */
function Pretend({ look, children }: { readonly look: string; readonly children: ReactNode }) {
  return <span className={`button ${look} w-fit`}>{children}</span>
}

function PackCard() {
  return (
    <Part>
      <span className="flex items-center gap-2 font-semibold">
        <Package aria-hidden="true" className="size-5 text-secondary-text" />
        Gold Pack
      </span>
      <span className="text-sm text-muted">3 packs to open</span>
      <span className="h-2.5 overflow-hidden rounded-full border border-control">
        <span className="block h-full w-2/3 bg-secondary-graphic" />
      </span>
      <span className="flex flex-wrap gap-2">
        <Pretend look="button-primary">Open</Pretend>
        <Pretend look="button-secondary">Odds</Pretend>
      </span>
    </Part>
  )
}

function StoreCard() {
  return (
    <Part>
      <span className="flex items-center gap-2 font-semibold">
        <Gift aria-hidden="true" className="size-5 text-accent-text" />
        You won a hoodie
      </span>
      <span className="flex flex-wrap gap-2">
        <Badge tone="success">Completed</Badge>
        <Badge tone="warning">Pending</Badge>
        <Badge tone="danger">Sold out</Badge>
      </span>
      <span className="input flex items-center text-muted">Search prizes</span>
      <span className="flex flex-wrap gap-2">
        <Pretend look="button-accent">Claim</Pretend>
        <Pretend look="button-danger">Delete</Pretend>
      </span>
    </Part>
  )
}
