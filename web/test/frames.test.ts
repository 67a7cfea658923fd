// Frames come in the next test as well, whatever a test has put in their place.

import { expect, it, vi } from 'vitest'

it.each(['first', 'next'])('a frame comes in the %s test', async (which) => {
  await new Promise((come) => requestAnimationFrame(come))
  if (which === 'next') return
  vi.useFakeTimers()
  const held = vi.fn()
  vi.stubGlobal('requestAnimationFrame', held)
  requestAnimationFrame(() => undefined)
  expect(held).toHaveBeenCalledOnce()
})
