// What the figures of the server mean, in words, and what to do about them.

import { commandLine } from '@redpack/contract/command-line'
import { numberText } from '../shared/number-text.ts'
import type {
  BooksFigures,
  DatabaseFigures,
  JobFigures,
  LimiterFigures,
  LogFault,
  LogFigures,
  PoolFigures,
  ProcessFigures,
  QueueFigures,
  ReadOnlyReason,
  ServerFigures,
  WitnessFigures,
} from './server-figures.ts'

const slowAnswerSeconds = 0.5
const lagSecondsFine = 0.2
const lagSecondsMax = 1
const failuresMax = 5
const overdueSecondsMax = 300

/** Every line of the staff's page, in its order. */
export function serverLines(figures: ServerFigures): readonly ServerLine[] {
  const { database, books } = figures
  return [
    databaseLine(database),
    ...(database === undefined ? [] : [writingLine(database.readOnly)]),
    ...(figures.pool === undefined ? [] : [poolLine(figures.pool)]),
    ...(books === undefined ? [] : [booksLine(books, figures.now)]),
    ...(database === undefined
      ? []
      : [
          jobsLine(database.jobs),
          logLine(database.log),
          ...witnessLine(database.log.witnesses),
          outboxLine(database.queues),
        ]),
    eventsLine(figures),
    ...limitsLine(figures.limiter),
    pagesLine(figures),
    processLine(figures.process),
  ]
}

function databaseLine(database: DatabaseFigures | undefined): ServerLine {
  const line = about('database', 'Database')
  if (database === undefined) {
    return line.broken(
      'No answer',
      'The database does not answer. Nothing that needs it works right now.',
      'Check that the database is running, then its disk and network. Redpack goes ' +
        'on by itself when it answers again.',
    )
  }
  const figure = `${Math.round(database.answerSeconds * 1000)} ms`
  if (database.answerSeconds <= slowAnswerSeconds) {
    return line.fine(figure, 'The database answers.')
  }
  return line.look(
    figure,
    'The database answers slowly.',
    'Check the load on its machine and look for slow queries.',
  )
}

const readOnlyTexts: Readonly<Record<ReadOnlyReason, readonly [why: string, action: string]>> = {
  disk_full: [
    'The disk of the embedded database is nearly full, so nothing can be saved.',
    'Free up space on the disk of DATA_DIR. Saving then works again by itself.',
  ],
  standby: [
    'The database is a read-only standby.',
    'Promote it, or point DATABASE_URL to the primary.',
  ],
  setting: [
    'The database is set to be read only.',
    'Set default_transaction_read_only to off in PostgreSQL, or end the maintenance.',
  ],
}

function writingLine(readOnly: ReadOnlyReason | undefined): ServerLine {
  const line = about('writing', 'Writing')
  if (readOnly === undefined) {
    return line.fine('Possible', 'The database can be written to.')
  }
  const [why, action] = readOnlyTexts[readOnly]
  const sentence = `${why} Pages can be read; packs, purchases and changes are refused.`
  return line.broken('Read only', sentence, action)
}

function poolLine({ busy, idle, waiting }: PoolFigures): ServerLine {
  const line = about('pool', 'Database connections')
  const figure = `${busy} of ${busy + idle} busy`
  if (waiting === 0) {
    return line.fine(figure, 'No call waits for a connection.')
  }
  return line.look(
    figure,
    `${plural(waiting, 'call waits', 'calls wait')} for a connection.`,
    'If this lasts, the database is slow or too small for the load: check the Database ' +
      'line, then the size of the pool.',
  )
}

function booksLine({ broken, checkedAt, isOverdue }: BooksFigures, now: Date): ServerLine {
  const line = about('books', 'Books')
  const age = checkedAt && durationText((now.getTime() - checkedAt.getTime()) / 1000)
  const figure = age === undefined ? 'Not checked yet' : `Checked ${age} ago`
  if (broken !== undefined && broken > 0) {
    return line.broken(
      plural(broken, 'check failed', 'checks failed'),
      'Balances, packs or stock do not agree with their history.',
      `Pause grants and openings, keep a dump, and run "${commandLine('verify-economy')}" to find the faulty rows.`,
    )
  }
  if (isOverdue) {
    return line.broken(
      figure,
      'The books have not been checked for more than a day.',
      'See the Jobs tab and the server log for the reason.',
    )
  }
  const isChecked = broken !== undefined
  const sentence = isChecked
    ? 'Every balance, pack and stock agrees with its history.'
    : 'The first check is not finished yet.'
  return line.fine(figure, sentence)
}

function jobsLine(jobs: readonly JobFigures[]): ServerLine {
  const line = about('jobs', 'Jobs')
  const failing = jobs.filter(({ failuresInRow }) => failuresInRow > 0)
  const late = jobs.filter(
    ({ overdueSeconds, everySeconds }) =>
      overdueSeconds > Math.max(overdueSecondsMax, 3 * everySeconds),
  )
  const figure = plural(jobs.length, 'job', 'jobs')
  if (late.length > 0) {
    const longest = Math.max(...late.map(({ overdueSeconds }) => overdueSeconds))
    return line.broken(
      `${late.length} of ${figure} late`,
      `${names(late)} should have run ${durationText(longest)} ago.`,
      'Restart a process that reaches the database, and read its log.',
    )
  }
  if (failing.length === 0) {
    return line.fine(figure, 'All jobs run on time.')
  }
  const isBroken = failing.some(({ failuresInRow }) => failuresInRow >= failuresMax)
  return line[isBroken ? 'broken' : 'look'](
    `${failing.length} of ${figure} failing`,
    `${names(failing)} failed at the last run.`,
    'See the Jobs tab for the reason. The same reason on many jobs points to the database.',
  )
}

const namesMax = 3

function names(jobs: readonly JobFigures[]): string {
  const listed = jobs.slice(0, namesMax).map(({ name }) => name)
  const more = jobs.length - listed.length
  return more === 0 ? listed.join(', ') : `${listed.join(', ')} and ${more} more`
}

function eventsLine({ events, now }: ServerFigures): ServerLine {
  const line = about('events', 'Events between processes')
  if (events.carrier === 'none') {
    return line.fine('Not needed', 'There is only one process.')
  }
  const carrier = events.carrier === 'redis' ? 'Redis' : 'PostgreSQL'
  if (events.isUp) {
    const millis = Math.round((events.roundTripSeconds ?? 0) * 1000)
    const figure = `${carrier}, ${millis} ms`
    return line.fine(figure, 'Changes on one process show on the others at once.')
  }
  const { lastHeardAt } = events
  const heard = lastHeardAt && durationText((now.getTime() - lastHeardAt.getTime()) / 1000)
  return line.look(
    heard === undefined ? `${carrier}, never heard` : `${carrier}, silent for ${heard}`,
    'Processes cannot reach each other. Pages on other processes update late; nothing is ' +
      'lost, and ended sessions are still closed.',
    `Check that ${carrier} is running and reachable. Redpack reconnects by itself.`,
  )
}

function limitsLine({ isRedisAnswering, refused }: LimiterFigures): readonly ServerLine[] {
  if (isRedisAnswering === undefined) return []
  const line = about('limits', 'Limits in Redis')
  const total = [...refused.values()].reduce((sum, count) => sum + count, 0)
  const figure = `${numberText(total)} refused`
  if (isRedisAnswering) {
    return [line.fine(figure, 'All processes count calls and sign-ins together.')]
  }
  return [
    line.look(
      figure,
      'Redis does not answer, so each process counts calls and sign-ins for itself.',
      'Check that Redis is running and reachable. They count together again once it is.',
    ),
  ]
}

function pagesLine({ connections }: ServerFigures): ServerLine {
  const line = about('pages', 'Open pages')
  const sentence = 'Open pages of signed-in people on this process.'
  return line.fine(numberText(connections.open), sentence)
}

function processLine({ loopLagSeconds, residentBytes }: ProcessFigures): ServerLine {
  const { p99 } = loopLagSeconds
  const megabytes = numberText(Math.round(residentBytes / 1024 / 1024))
  const line = about('process', 'This process')
  const figure = `${megabytes} MB, ${Math.round(p99 * 1000)} ms late`
  if (p99 <= lagSecondsFine) {
    return line.fine(figure, 'The process keeps up.')
  }
  return line[p99 > lagSecondsMax ? 'broken' : 'look'](
    figure,
    'The process cannot keep up, so everyone waits.',
    'Start another process, or find the expensive route in the metrics.',
  )
}

/** What is said of one matter. */
function about(id: string, title: string) {
  const inState = (state: ServerLineState) => (figure: string, sentence: string, action: string) =>
    ({ id, title, state, figure, sentence, action }) satisfies ServerLine
  return {
    fine: (figure: string, sentence: string): ServerLine => {
      return { id, title, state: 'fine', figure, sentence, action: null }
    },
    look: inState('look'),
    broken: inState('broken'),
  }
}

function plural(count: number, one: string, many: string): string {
  return `${numberText(count)} ${count === 1 ? one : many}`
}

/** Nothing to do; somebody should look today; somebody should look now. */
export type ServerLineState = 'fine' | 'look' | 'broken'

export interface ServerLine {
  /** Names what the line is about, for ever. */
  readonly id: string
  readonly title: string
  readonly state: ServerLineState
  /** The figure in a few words. */
  readonly figure: string
  /** What it means, as a whole sentence. */
  readonly sentence: string
  /** What to do about it; null when nothing is to be done. */
  readonly action: string | null
}

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
    `Someone changed the database: run "${commandLine('verify-economy')}" and restore a dump.`,
  ],
}

export function logLine(log: LogFigures): ServerLine {
  const line = about('log', 'Public log')
  const entries = `${numberText(log.entries)} entries`
  if (log.trouble !== undefined) {
    const [why, action] = troubleTexts[log.trouble]
    const sentence = `The log is no longer signed: ${why}. Packs can still be opened.`
    return line.broken(entries, sentence, action)
  }
  if (log.oldestSeconds > logLateSeconds) {
    return line[log.oldestSeconds > logStuckSeconds ? 'broken' : 'look'](
      `${waitingText(log.waiting)} waiting`,
      `Draws have waited for the log for ${durationText(log.oldestSeconds)}.`,
      'See the job draw-log-append in the Jobs tab.',
    )
  }
  if (log.setAside > 0) {
    return line.look(
      `${waitingText(log.setAside)} set aside`,
      'Some rows cannot be logged: they were damaged or changed by hand.',
      `Run "${commandLine('verify-economy')}" to see which. Explain it in public.`,
    )
  }
  return line.fine(entries, 'Draws enter the log within seconds, and the log is signed.')
}

/** Nothing where no witness is asked. */
export function witnessLine(witnesses: readonly WitnessFigures[]): readonly ServerLine[] {
  if (witnesses.length === 0) return []
  const silent = witnesses.filter(({ problem }) => problem !== undefined)
  const line = about('witnesses', 'Witnesses of the log')
  const figure = `${witnesses.length - silent.length} of ${witnesses.length} cosign`
  const [first] = silent
  if (first === undefined) return [line.fine(figure, 'Every witness cosigns.')]
  return [
    line.look(
      figure,
      `${first.name} does not cosign: ${first.problem ?? 'no reason is known'}.`,
      'See Public log in the Overview tab, and ask the operator of the witness.',
    ),
  ]
}

const queueWords: Readonly<Record<QueueFigures['name'], string>> = {
  email: 'emails',
  push: 'push messages',
  discord: 'Discord messages to people',
  chat: 'chat messages',
  post: 'posts to Discord channels',
}

/** One line for all that leaves the product; it names the queue whose oldest has waited longest. */
export function outboxLine(queues: readonly QueueFigures[]): ServerLine {
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0)
  const line = about('outbox', 'Messages')
  const figure = `${waitingText(waiting)} waiting`
  const [oldest] = queues.toSorted((one, other) => other.oldestSeconds - one.oldestSeconds)
  if (oldest === undefined || oldest.oldestSeconds <= queueLateSeconds) {
    return line.fine(figure, 'Nothing is held up.')
  }
  const { name, oldestSeconds } = oldest
  return line.look(
    figure,
    `The oldest of the ${queueWords[name]} has waited for ${durationText(oldestSeconds)}.`,
    `See the Messages tab, and the job outbox-send-${name} in the Jobs tab.`,
  )
}

/** Queues are counted so far and no further. */
const countedMax = 10_000

function waitingText(count: number): string {
  return count >= countedMax ? `${numberText(countedMax)} or more` : numberText(count)
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** '3 hours' for 11,000 seconds: the largest unit that fits, rounded down; '0 seconds' at least. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [unit, size] = units.find(([, length]) => whole >= length) ?? ['second', 1]
  const count = Math.floor(whole / size)
  return `${numberText(count)} ${unit}${count === 1 ? '' : 's'}`
}
