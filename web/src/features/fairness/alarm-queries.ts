// Alarms: what the server said does not agree with what this browser remembers, or with itself.
// They are kept with their evidence until the player has seen them, and after.

import type { OpeningFault } from '@redpack/fair/draw'
import { useSyncExternalStore } from 'react'
import { browserMemory } from '../../lib/browser-memory.ts'

export type AlarmReason = OpeningFault | 'log' | 'missing'

export interface Alarm {
  /** The same contradiction has the same name, so that it is raised once. */
  readonly name: string
  /** Whose it is; null when it is about the log, which is everybody's. */
  readonly userId: number | null
  readonly reason: AlarmReason
  readonly title: string
  readonly text: string
  readonly evidence: unknown
  /** Epoch milliseconds. */
  readonly raisedAt: number
  readonly isAcknowledged: boolean
}

const beginning = 'alarm/'
const listeners = new Set<() => void>()
let known: readonly Alarm[] = []

async function refresh(): Promise<void> {
  known = (await browserMemory.list(beginning)) as Alarm[]
  for (const listener of listeners) listener()
}

const rowName = ({ userId, name }: Pick<Alarm, 'userId' | 'name'>) =>
  `${beginning}${userId ?? 'log'}/${name}`

/** Raises an alarm; one that was raised before stays as it is, seen or not. */
export async function raiseAlarm(found: Omit<Alarm, 'raisedAt' | 'isAcknowledged'>): Promise<void> {
  const alarm: Alarm = { ...found, raisedAt: Date.now(), isAcknowledged: false }
  await browserMemory.change(rowName(found), (row) => row ?? alarm)
  await refresh()
}

/** The player has seen it: openings are possible again. */
export async function acknowledgeAlarm(alarm: Alarm): Promise<void> {
  await browserMemory.change(rowName(alarm), () => ({ ...alarm, isAcknowledged: true }))
  await refresh()
}

export async function currentAlarms(userId: number): Promise<readonly Alarm[]> {
  await refresh()
  return alarmsOf(known, userId)
}

export async function hasUnseenAlarm(userId: number): Promise<boolean> {
  return (await currentAlarms(userId)).some(({ isAcknowledged }) => !isAcknowledged)
}

const alarmsOf = (alarms: readonly Alarm[], userId: number | null) =>
  alarms.filter((alarm) => alarm.userId === null || alarm.userId === userId)

/** Those of everybody. They are read once somebody listens. */
export const knownAlarms = () => known

function subscribe(listener: () => void) {
  listeners.add(listener)
  void refresh()
  return () => listeners.delete(listener)
}

/** The alarms that concern a user, or a visitor who is null. */
export function useAlarms(userId: number | null): readonly Alarm[] {
  return alarmsOf(useSyncExternalStore(subscribe, knownAlarms), userId)
}
