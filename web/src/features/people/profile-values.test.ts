// How the profile form counts the bio and lists zones and countries.

import { describe, expect, it } from 'vitest'
import { testBegin } from '../../../../tools/test-clock.ts'
import { withChosen } from '../../ui/form/select-field.tsx'
import { bioAnnouncement, countries, timeIn, timeZoneChoices } from './personal-information.tsx'

describe('the room in the bio', () => {
  it.each([
    [449, 450, '50 characters left'],
    [480, 495, '5 characters left'],
    [499, 500, 'No characters left'],
    [10, 503, '3 characters too many'],
  ])('from %i to %i characters is announced', (before, now, sentence) => {
    expect(bioAnnouncement(before, now)).toBe(sentence)
  })

  it.each([
    [450, 451],
    [500, 499],
    [0, 449],
  ])('from %i to %i characters is not', (before, now) => {
    expect(bioAnnouncement(before, now)).toBeUndefined()
  })
})

describe('the time zones', () => {
  const valuesIn = (choices: ReturnType<typeof timeZoneChoices>) =>
    choices.flatMap((group) => group.choices.map(({ value }) => value))

  it('are all that the browser knows, and the chosen one', () => {
    const zones = valuesIn(timeZoneChoices('Mars/Base'))
    expect(zones).toEqual(expect.arrayContaining(['UTC', 'GMT', 'Europe/Berlin', 'Mars/Base']))
    expect(zones.every((zone) => zone === 'Mars/Base' || timeIn(zone, testBegin))).toBe(true)
  })

  it('are grouped by region', () => {
    const groups = timeZoneChoices()
    expect(groups[0]?.label).toBe('Universal')
    const europe = groups.find(({ label }) => label === 'Europe')
    expect(europe?.choices.every(({ value }) => value.startsWith('Europe/'))).toBe(true)
  })

  it('tell the time there, where there is any', () => {
    expect(timeIn('Mars/Base', testBegin)).toBeUndefined()
    expect(timeIn('Asia/Tokyo', new Date('2026-11-21T09:00:00Z'))).toMatch(/6:00.PM, GMT\+9/)
  })
})

describe('the countries', () => {
  it('are the five, and a stored one beyond them', () => {
    const values = (chosen: string) => withChosen(countries, chosen).map(({ value }) => value)
    expect(values('AT')).toEqual(['US', 'CA', 'UK', 'DE', 'FR', 'AT'])
  })
})
