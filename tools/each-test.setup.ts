// Before each test: properties are tried with one seed, and time stands still.

import fc from 'fast-check'
import { afterEach } from 'vitest'
import { beginTime, stopTime } from './test-clock.ts'

fc.configureGlobal({ seed: 20261124 })
stopTime()

afterEach(beginTime)
