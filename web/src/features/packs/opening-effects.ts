// Plays sound and vibration of an opening together, as long as the player wants them.

import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { type OutcomeKind, type Rarity, rarityHoldMs } from './rarity.ts'
import { shakeStrikesMs, stageBeats } from './stage-timeline.ts'

export interface OpeningEffects {
  /** Plays the opening step, from a later moment (ms) when the player has torn the pack. */
  playOpening(fromMs?: number): void
  playReveal(kind: OutcomeKind, rarity?: Rarity): void
}

interface Player extends OpeningEffects {
  stop(): void
}

/** Sound and vibration go with the results, and never keep them away. */
function attempt<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/**
 * Sound in the key of `hue` and, on Android, vibration. Silent while `isWanted` is false and while
 * the tab is hidden; either stops at once what is playing.
 */
export function useOpeningEffects(isWanted: boolean, hue: number): OpeningEffects {
  const isHidden = useSyncExternalStore(onVisibility, () => document.hidden)
  const isOn = isWanted && !isHidden
  const players = useRef<readonly Player[]>([])

  useEffect(() => {
    if (!isOn) return
    players.current = [attempt(() => createOpeningSound(hue)), createOpeningHaptics()].filter(
      (player) => player !== null,
    )
    return () => {
      for (const player of players.current) attempt(() => player.stop())
      players.current = []
    }
  }, [isOn, hue])

  return useMemo(
    () => ({
      playOpening: (fromMs) => {
        for (const player of players.current) attempt(() => player.playOpening(fromMs))
      },
      playReveal: (kind, rarity) => {
        for (const player of players.current) attempt(() => player.playReveal(kind, rarity))
      },
    }),
    [],
  )
}

/** Quiet on purpose: an opening plays over music or a stream. */
const masterGain = 0.22
const lowestRootHz = 174.6
const semitonesInOctave = 12

/** The key of a pack, in hertz: its hue (degrees) picks one of twelve semitones from F3 upwards. */
export function rootFrequency(hue: number): number {
  const turn = (((hue % 360) + 360) % 360) / 360
  return lowestRootHz * 2 ** (Math.floor(turn * semitonesInOctave) / semitonesInOctave)
}

/** Semitones above the root that greet a card: one note, two, or three for a physical prize. */
const motifs: Readonly<Record<OutcomeKind, readonly number[]>> = {
  redcoin: [12],
  'redcoin-prize': [12, 19],
  prize: [12, 16, 24],
}

/** Semitones that a rare card adds to its motif. */
const rareNotes: Readonly<Record<Rarity, readonly number[]>> = {
  0: [],
  1: [],
  2: [28],
  3: [28, 31, 36],
}

/**
 * A sound for one opening; it throws where the browser has no Web Audio. To be called by a press:
 * browsers keep an audio context silent otherwise. Stopping it gives the audio device back.
 */
function createOpeningSound(hue: number): Player {
  const context = new AudioContext()
  const master = context.createGain()
  master.gain.value = masterGain
  master.connect(context.destination)
  const instrument: Instrument = { context, master }
  /** What the opening step plays through, so that a torn pack can cut it short. */
  let step: GainNode | null = null
  const root = rootFrequency(hue)

  return {
    playOpening: (fromMs = 0) => {
      void context.resume()
      step?.disconnect()
      step = context.createGain()
      step.connect(master)
      scheduleOpening({ context, master: step }, root, context.currentTime + 0.02, fromMs)
    },
    // A rare card is greeted by a swell while it lies in its light, and by more notes.
    playReveal: (kind, rarity = 0) => {
      void context.resume()
      const start = context.currentTime + 0.04
      const hold = rarityHoldMs[rarity] / 1000
      if (hold > 0) drone(instrument, { from: start, seconds: hold, hertz: root, gain: 0.4 })
      for (const [index, semitones] of [...motifs[kind], ...rareNotes[rarity]].entries()) {
        const from = start + hold + index * 0.11
        bell(instrument, { from, seconds: 0.7, hertz: root * 2 ** (semitones / 12), gain: 0.5 })
      }
    },
    stop: () => {
      master.disconnect()
      void context.close().catch(() => undefined)
    },
  }
}

interface Instrument {
  readonly context: AudioContext
  readonly master: GainNode
}

interface Note {
  /** Start on the audio clock, in seconds. */
  readonly from: number
  readonly seconds: number
  readonly hertz: number
  readonly gain: number
}

function scheduleOpening(
  instrument: Instrument,
  root: number,
  start: number,
  fromMs: number,
): void {
  const when = (ms: number) => start + (ms - fromMs) / 1000
  const { tear, bloom } = stageBeats
  if (fromMs < tear) scheduleApproach(instrument, root, when)
  noise(instrument, { from: when(tear), seconds: 0.34, hertz: 1500, gain: 0.7 }, 5200)
  for (const semitones of [0, 7, 12]) {
    const hertz = root * 2 ** (semitones / 12)
    bell(instrument, { from: when(bloom), seconds: 0.9, hertz, gain: 0.3 })
  }
}

/** What is heard before the tear: air, a hum, and three strikes that rise. */
function scheduleApproach(
  instrument: Instrument,
  root: number,
  when: (ms: number) => number,
): void {
  const start = when(0)
  const { settle } = stageBeats
  noise(instrument, { from: start, seconds: 0.3, hertz: 500, gain: 0.25 }, 1800)
  drone(instrument, { from: when(settle), seconds: 1.5, hertz: root / 2, gain: 0.3 })
  shakeStrikesMs.forEach((ms, index) => {
    const hertz = root * 2 ** ((index * 3) / 12)
    bell(instrument, { from: when(ms), seconds: 0.2, hertz, gain: 0.35 })
    noise(instrument, { from: when(ms), seconds: 0.08, hertz: 1200, gain: 0.2 }, 700)
  })
}

/** A struck tone: quick attack, long exponential tail, one quiet overtone for the metal in it. */
function bell(instrument: Instrument, note: Note): void {
  strike(instrument, 'sine', note)
  strike(instrument, 'triangle', {
    ...note,
    hertz: note.hertz * 2.01,
    gain: note.gain * 0.25,
    seconds: note.seconds * 0.5,
  })
}

function strike({ context, master }: Instrument, type: OscillatorType, note: Note): void {
  const oscillator = context.createOscillator()
  const envelope = context.createGain()
  oscillator.type = type
  oscillator.frequency.value = note.hertz
  envelope.gain.setValueAtTime(0.0001, note.from)
  envelope.gain.exponentialRampToValueAtTime(note.gain, note.from + 0.012)
  envelope.gain.exponentialRampToValueAtTime(0.0001, note.from + note.seconds)
  oscillator.connect(envelope).connect(master)
  oscillator.start(note.from)
  oscillator.stop(note.from + note.seconds)
}

/** A low hum that swells and is cut by the tear, or by the turn of a rare card. */
function drone({ context, master }: Instrument, note: Note): void {
  for (const detune of [-6, 6]) {
    const oscillator = context.createOscillator()
    const envelope = context.createGain()
    oscillator.frequency.value = note.hertz
    oscillator.detune.value = detune
    envelope.gain.setValueAtTime(0.0001, note.from)
    envelope.gain.linearRampToValueAtTime(note.gain, note.from + note.seconds * 0.8)
    envelope.gain.linearRampToValueAtTime(0.0001, note.from + note.seconds)
    oscillator.connect(envelope).connect(master)
    oscillator.start(note.from)
    oscillator.stop(note.from + note.seconds)
  }
}

/** Filtered noise whose band glides from `note.hertz` to `toHertz`: air, paper, foil. */
function noise({ context, master }: Instrument, note: Note, toHertz: number): void {
  const samples = Math.ceil(context.sampleRate * note.seconds)
  const buffer = context.createBuffer(1, samples, context.sampleRate)
  const channel = buffer.getChannelData(0)
  for (let index = 0; index < samples; index++) channel[index] = Math.random() * 2 - 1
  const source = context.createBufferSource()
  source.buffer = buffer
  const band = context.createBiquadFilter()
  band.type = 'bandpass'
  band.Q.value = 0.9
  band.frequency.setValueAtTime(note.hertz, note.from)
  band.frequency.exponentialRampToValueAtTime(toHertz, note.from + note.seconds)
  const envelope = context.createGain()
  envelope.gain.setValueAtTime(note.gain, note.from)
  envelope.gain.exponentialRampToValueAtTime(0.0001, note.from + note.seconds)
  source.connect(band).connect(envelope).connect(master)
  source.start(note.from)
}

/** Vibration patterns in milliseconds, per kind of card. */
const revealPatterns: Readonly<Record<OutcomeKind, number[]>> = {
  redcoin: [20],
  'redcoin-prize': [20],
  prize: [40, 60, 40],
}

const shakeMs = 10
const tearMs = 18

/** True where the device can vibrate and its browser means it. */
export function canVibrate(): boolean {
  return typeof navigator.vibrate === 'function' && /android/i.test(navigator.userAgent)
}

/** Vibrations for one opening, or null where the device has none. */
export function createOpeningHaptics(): Player | null {
  if (!canVibrate()) return null
  return {
    playOpening: (fromMs = 0) => navigator.vibrate(fromMs > 0 ? [tearMs] : openingPattern()),
    // A rare card is felt when it turns, after the time for which it lies in its light.
    playReveal: (kind, rarity = 0) => {
      const holdMs = rarityHoldMs[rarity]
      navigator.vibrate([...(holdMs > 0 ? [0, holdMs] : []), ...revealPatterns[kind]])
    },
    stop: () => navigator.vibrate(0),
  }
}

/** One pattern for the whole step: pulses at the three shakes and the tear, pauses in between. */
export function openingPattern(): number[] {
  const pulses = [
    ...shakeStrikesMs.map((from) => ({ from, length: shakeMs })),
    { from: stageBeats.tear, length: tearMs },
  ]
  // A vibration pattern starts with a pulse; an empty one stands for the silence before the first.
  const pattern = [0]
  let now = 0
  for (const { from, length } of pulses) {
    pattern.push(from - now, length)
    now = from + length
  }
  return pattern
}
