// The three themes that are offered, each tile painted in its own.

import { deriveThemePalette, paletteVariables, type Theme, themePresets } from '@redpack/contract'
import { RadioCards } from '../../ui/form/radio-cards.tsx'
import { isSameTheme } from './theme-words.ts'

/** 'Default' has a button of its own. */
const offered = themePresets.filter(({ name }) => name !== 'Default')

export interface PresetTilesProps {
  readonly theme: Theme
  readonly onChoose: (theme: Theme) => void
}

export function PresetTiles({ theme, onChoose }: PresetTilesProps) {
  const chosen = offered.find((preset) => isSameTheme(preset.theme, theme))
  return (
    <RadioCards
      label="Presets"
      value={chosen?.name ?? ''}
      onChange={(name) => {
        const preset = offered.find((one) => one.name === name)
        if (preset) onChoose(preset.theme)
      }}
      className="grid-cols-1 sm:grid-cols-3"
      cardClassName="p-2!"
      cards={offered.map((preset) => ({
        value: preset.name,
        label: preset.name,
        content: <Tile name={preset.name} theme={preset.theme} />,
      }))}
    />
  )
}

function Tile({ name, theme }: { readonly name: string; readonly theme: Theme }) {
  return (
    <span
      style={paletteVariables(deriveThemePalette(theme))}
      className="on-page flex h-full flex-col rounded-control border border-line bg-surface p-3"
    >
      <span className="block font-display font-semibold text-ink">{name}</span>
      <span className="mt-auto flex gap-1.5 pt-2">
        {['bg-primary', 'bg-secondary', 'bg-accent'].map((look) => (
          <span key={look} className={`h-6 flex-1 rounded-control ${look}`} />
        ))}
      </span>
      <span className="on-card mt-2 block rounded-control border border-line bg-surface px-2 py-1 text-sm text-muted">
        On a card
      </span>
    </span>
  )
}
