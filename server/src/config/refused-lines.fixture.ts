// The lines that settings are refused with, for the tests of the settings.

import { BadSettings } from './read-settings.ts'

/** The lines with which `read` refuses its settings; none when it takes them. */
export function refusedLines(read: () => unknown): readonly string[] {
  try {
    read()
    return []
  } catch (error) {
    if (error instanceof BadSettings) return error.lines
    throw error
  }
}
