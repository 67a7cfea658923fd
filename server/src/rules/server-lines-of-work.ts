// The lines about what the server works off: the public log, its witnesses, and queues.

import { commandLine } from '@redpack/contract/command-line'
import { numberText } from '../shared/number-text.ts'
import { durationText } from './duration-text.ts'
import type { LogFault, LogFigures, QueueFigures, WitnessFigures } from './server-figures.ts'
import type { ServerLine } from './server-line.ts'

const logLateSeconds = 60
const logStuckSeconds = 600
const queueLateSeconds = 600

const troubleTexts: Readonly<Record<LogFault, readonly [why: string, action: string]>> = {
  no_key: ['there is no key to sign it with', 'Set LOG_SIGNING_KEY and start again.'],
  key_changed: [
    'the key of this server is not the one that signed it before',
    'Set LOG_SIGNING_KEY to the old key and start again.',
  ],
  history_lost: [
    'it has fewer entries than were signed before',
    'An older dump was restored: restore the newest one.',
  ],
  inconsistent: [
    'its entries are not those that were signed before',
    `Somebody changed the database: run "${commandLine('verify-economy')}" and restore a dump.`,
  ],
}

export function logLine(log: LogFigures): ServerLine {
  const line = { id: 'log', title: 'Public log' } as const
  const entries = `${numberText(log.entries)} entries`
  if (log.trouble !== undefined) {
    const [why, action] = troubleTexts[log.trouble]
    const sentence = `The log is no longer signed: ${why}. Packs can still be opened.`
    return { ...line, state: 'broken', figure: entries, sentence, action }
  }
  if (log.oldestSeconds > logLateSeconds) {
    return {
      ...line,
      state: log.oldestSeconds > logStuckSeconds ? 'broken' : 'look',
      figure: `${waitingText(log.waiting)} waiting`,
      sentence: `Draws have waited for the log for ${durationText(log.oldestSeconds)}.`,
      action: 'See the job draw-log-append in the Jobs tab.',
    }
  }
  if (log.setAside > 0) {
    return {
      ...line,
      state: 'look',
      figure: `${waitingText(log.setAside)} set aside`,
      sentence: 'Some rows cannot be logged: they were damaged or changed by hand.',
      action: `Run "${commandLine('verify-economy')}": it names them. Explain it in public.`,
    }
  }
  const sentence = 'Draws enter the log within seconds, and the log is signed.'
  return { ...line, state: 'fine', figure: entries, sentence, action: null }
}

/** Nothing where no witness is asked. */
export function witnessLine(witnesses: readonly WitnessFigures[]): readonly ServerLine[] {
  if (witnesses.length === 0) return []
  const silent = witnesses.filter(({ problem }) => problem !== undefined)
  const line = {
    id: 'witnesses',
    title: 'Witnesses of the log',
    figure: `${witnesses.length - silent.length} of ${witnesses.length} cosign`,
  } as const
  const [first] = silent
  if (first === undefined) {
    return [{ ...line, state: 'fine', sentence: 'Every witness cosigns.', action: null }]
  }
  return [
    {
      ...line,
      state: 'look',
      sentence: `${first.name} does not cosign: ${first.problem ?? 'no reason is known'}.`,
      action: 'See Public log in the Overview tab, and ask the operator of the witness.',
    },
  ]
}

const queueTexts: Readonly<Record<QueueFigures['name'], readonly [title: string, job: string]>> = {
  chat_messages: ['Chat messages', 'chat-bot-send-messages'],
  discord_posts: ['Discord posts', 'discord-post-rewards'],
}

/** One line a queue. */
export function queueLines(queues: readonly QueueFigures[]): readonly ServerLine[] {
  return queues.map(({ name, waiting, oldestSeconds }) => {
    const [title, job] = queueTexts[name]
    const line = { id: name, title, figure: `${waitingText(waiting)} waiting` }
    if (oldestSeconds <= queueLateSeconds) {
      return { ...line, state: 'fine', sentence: 'Nothing is held up.', action: null }
    }
    return {
      ...line,
      state: 'look',
      sentence: `The oldest has waited for ${durationText(oldestSeconds)}.`,
      action: `Look at the job ${job} in the Jobs tab, and at the Bot Credentials tab.`,
    }
  })
}

/** Queues are counted so far and no further. */
const countedMax = 10_000

function waitingText(count: number): string {
  return count >= countedMax ? `${numberText(countedMax)} or more` : numberText(count)
}
