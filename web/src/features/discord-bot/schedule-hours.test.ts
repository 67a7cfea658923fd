// Hours as they are shown, saved and told.

import { describe, expect, it } from 'vitest'
import {
  hourChoices,
  postingTime,
  scheduleText,
  toSavedHours,
  toShownHours,
} from './shared/discord-bot.tsx'

describe('hours', () => {
  it('saved as 2, 8, 14, 20 are shown as 6, 12, 18, 24, and so is the default of the database', () => {
    expect(toShownHours([2, 8, 14, 20])).toEqual([6, 12, 18, 24])
    expect(toShownHours([6, 12, 18, 24])).toEqual([6, 12, 18, 24])
    expect(toShownHours([9, 2, 0])).toEqual([0, 6, 9])
  })

  it('that can be chosen come back from the server as they were chosen', () => {
    for (const hour of hourChoices) expect(toShownHours(toSavedHours([hour]))).toEqual([hour])
    expect(new Set(toSavedHours(hourChoices)).size).toBe(hourChoices.length)
  })

  it('are told as the time in New York', () => {
    expect([6, 12, 18, 24, 0, 9].map(postingTime)).toEqual([
      '2 AM',
      '8 AM',
      '2 PM',
      '8 PM',
      '12 AM',
      '9 AM',
    ])
    expect(scheduleText([6, 12, 18, 24])).toBe('2 AM, 8 AM, 2 PM, and 8 PM Eastern time')
    expect(scheduleText([])).toBe('Never')
  })
})
