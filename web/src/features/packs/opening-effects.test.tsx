// When the sound of an opening plays, and what silences it.

import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useOpeningEffects } from './opening-effects.ts'

let contexts: { isClosed: boolean; oscillators: number }[]

/** As much of Web Audio as counts what is started and closed. */
function fakeAudio() {
  const parameter = {
    value: 0,
    setValueAtTime() {},
    exponentialRampToValueAtTime() {},
    linearRampToValueAtTime() {},
  }
  const node = () => {
    const made = { connect: (next: unknown) => next, disconnect() {}, start() {}, stop() {} }
    return { ...made, gain: parameter, frequency: parameter, detune: parameter, Q: parameter }
  }
  return class {
    readonly record = { isClosed: false, oscillators: 0 }
    readonly currentTime = 0
    readonly sampleRate = 10
    readonly destination = {}
    constructor() {
      contexts.push(this.record)
    }
    createGain = node
    createBufferSource = node
    createBiquadFilter = node
    createBuffer = () => ({ getChannelData: () => new Float32Array(100) })
    createOscillator = () => {
      this.record.oscillators += 1
      return node()
    }
    resume = async () => undefined
    close = async () => {
      this.record.isClosed = true
    }
  }
}

beforeEach(() => {
  contexts = []
  vi.stubGlobal('AudioContext', fakeAudio())
})

function hide(isHidden: boolean) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden)
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'))
  })
}

describe('the sound of an opening', () => {
  it('stops at once when the tab is hidden, and stays silent there', () => {
    const { result } = renderHook(() => useOpeningEffects(true, 20))
    result.current.playOpening()
    const playing = contexts[0]?.oscillators
    hide(true)
    expect(contexts[0]?.isClosed).toBe(true)
    result.current.playReveal('prize')
    expect(contexts.map(({ oscillators }) => oscillators)).toEqual([playing])
  })

  it('comes back with the tab', () => {
    const { result } = renderHook(() => useOpeningEffects(true, 20))
    hide(true)
    hide(false)
    result.current.playReveal('prize')
    expect(contexts).toHaveLength(2)
    expect(contexts[1]?.oscillators).toBeGreaterThan(0)
  })

  it('is not there while it is not wanted', () => {
    const { result } = renderHook(() => useOpeningEffects(false, 20))
    result.current.playOpening()
    expect(contexts).toEqual([])
  })
})
