// Whether this browser hides what an audience should not see: kept here alone, and known before the
// first paint.

import { browserSwitch, useSwitch } from './browser-switch.ts'

export const streamerMode = browserSwitch('redpack:streamer-mode', false)

export const useStreamerMode = (): boolean => useSwitch(streamerMode)
