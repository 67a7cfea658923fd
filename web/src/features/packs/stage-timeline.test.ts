import { describe, expect, it, vi } from 'vitest'
import { StageTimeline } from './stage-timeline.ts'

function stage(parts: string[], animate: unknown): HTMLElement {
  const root = document.createElement('div')
  for (const part of parts) {
    const element = document.createElement('div')
    element.dataset.part = part
    Object.assign(element, { animate })
    root.append(element)
  }
  return root
}

function recorder() {
  const animations: { id: string; currentTime: number; options: unknown; calls: string[] }[] = []
  const animate = vi.fn((_keyframes: Keyframe[], options: unknown) => {
    const calls: string[] = []
    const animation = {
      id: '',
      currentTime: 0,
      options,
      calls,
      pause: () => calls.push('pause'),
      finish: () => calls.push('finish'),
      cancel: () => calls.push('cancel'),
    }
    animations.push(animation)
    return animation
  })
  return { animate, animations }
}

const motions = ['pack-top', 'slit'].map((part) => ({ part, keyframes: [{ opacity: 0 }] }))

describe('StageTimeline', () => {
  it('gives every part the same length and a name under which it can be found', () => {
    const { animate, animations } = recorder()
    StageTimeline.play(stage(['pack-top', 'slit'], animate), 'opening', motions)
    expect(animations.map(({ id }) => id)).toEqual(['opening:pack-top', 'opening:slit'])
    expect(animations.map((each) => each.options)).toEqual([
      { duration: 2000, fill: 'both' },
      { duration: 2000, fill: 'both' },
    ])
  })

  it('goes on with the whole picture from a later moment, never back', () => {
    const { animate, animations } = recorder()
    const timeline = StageTimeline.play(stage(['pack-top', 'slit'], animate), 'opening', motions)
    timeline.skipTo(1400)
    timeline.skipTo(1234)
    expect(animations.map((each) => each.currentTime)).toEqual([1400, 1400])
  })

  it('takes the film off again', () => {
    const { animate, animations } = recorder()
    const timeline = StageTimeline.play(stage(['slit'], animate), 'opening', motions)
    timeline.cancel()
    timeline.hold()
    expect(animations[0]?.calls).toEqual(['cancel'])
  })
})
