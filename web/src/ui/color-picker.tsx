// A colour picker: a field of saturation and brightness, and a slider of hues. Its looks are in the
// style sheet: a picker that writes its own would be refused by the page's policy.

import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { type Hsv, hexOf, hsvOf } from './hsv.ts'

const black: Hsv = { hue: 0, saturation: 0, brightness: 0 }

export interface ColorPickerProps {
  /** What is picked, for example 'Color'. */
  readonly label: string
  /** A hex colour; anything else is shown as black. */
  readonly color: string
  /** Gets a hex colour with six digits. */
  readonly onChange: (hex: string) => void
}

/** Arrow keys move by 1, with Shift by 10. */
export function ColorPicker({ label, color, onChange }: ColorPickerProps) {
  // Grey and black have no hue of their own: the one that was chosen last stays.
  const [chosen, setChosen] = useState<Hsv>(() => hsvOf(color) ?? black)
  const isChosen = hexOf(chosen) === color.toUpperCase()
  const hsv = isChosen ? chosen : (hsvOf(color) ?? black)
  const choose = (change: Partial<Hsv>) => {
    const next = { ...hsv, ...change }
    setChosen(next)
    onChange(hexOf(next))
  }
  return (
    <div className="color-picker" style={{ '--hue': `${hsv.hue}deg` }}>
      <Field label={label} hsv={hsv} onChoose={choose} />
      <input
        type="range"
        aria-label={`${label}: hue`}
        min={0}
        max={360}
        value={hsv.hue}
        aria-valuetext={`${hsv.hue} degrees`}
        onChange={(event) => choose({ hue: event.target.valueAsNumber })}
        className="color-picker-hue"
      />
    </div>
  )
}

interface FieldProps {
  readonly label: string
  readonly hsv: Hsv
  readonly onChoose: (change: Partial<Hsv>) => void
}

function percent(part: number): number {
  return Math.round(Math.min(1, Math.max(0, part)) * 100)
}

/** How each key moves saturation and brightness. */
const moves: Readonly<Record<string, readonly [saturation: number, brightness: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

function Field({ label, hsv, onChoose }: FieldProps) {
  const pick = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    onChoose({
      saturation: percent((event.clientX - box.left) / box.width),
      brightness: percent(1 - (event.clientY - box.top) / box.height),
    })
  }
  const move = (event: KeyboardEvent) => {
    const by = moves[event.key]
    if (!by) return
    event.preventDefault()
    const step = event.shiftKey ? 10 : 1
    const within = (value: number) => Math.min(100, Math.max(0, value))
    onChoose({
      saturation: within(hsv.saturation + by[0] * step),
      brightness: within(hsv.brightness + by[1] * step),
    })
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${label}: saturation and brightness`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={hsv.saturation}
      aria-valuetext={`Saturation ${hsv.saturation}%, brightness ${hsv.brightness}%`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        pick(event)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) pick(event)
      }}
      onKeyDown={move}
      className="color-picker-field"
    >
      <span
        aria-hidden="true"
        className="color-picker-thumb"
        style={{
          left: `${hsv.saturation}%`,
          top: `${100 - hsv.brightness}%`,
          backgroundColor: hexOf(hsv),
        }}
      />
    </div>
  )
}
