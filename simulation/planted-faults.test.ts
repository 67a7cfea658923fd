// Every fault that is planted in a copy has its place in the sources still.

import { expect, it } from 'vitest'
import { countPlantable } from './planted-faults.ts'

it('each planted fault can be planted', () => {
  expect(countPlantable()).toBeGreaterThan(12)
})
