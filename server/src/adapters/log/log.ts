// The log: JSON lines on standard error, without credentials or personal data. Every line passes
// here, including those of libraries.

import { type DestinationStream, destination, type Logger, pino } from 'pino'
import type { Config } from '../../config/config.ts'
import { isDatabaseUnavailable } from '../db/retry.ts'
import { Repeats } from './log-deduplication.ts'
import { masked, redactError } from './redact-error.ts'

/** Texts in fields of other names stay out. Numbers and flags may have any name. */
const textNames = new Set([
  'address',
  'back',
  'because',
  'broken',
  'by',
  'channelId',
  'code',
  'contact',
  'context',
  'down',
  'event',
  'file',
  'folder',
  'invariant',
  'job',
  'jobs',
  'keyId',
  'kind',
  'lastWords',
  'lost',
  'ref',
  'route',
  'state',
  'subscriptionType',
  'title',
  'trouble',
  'what',
  'why',
])

const textMax = 400
const listMax = 20
/** Bytes of a line; what is longer loses its details. */
const lineBytesMax = 2_000
const warn = 40
const error = 50

type Fields = Readonly<Record<string, unknown>>

/**
 * Lines are written at once, so that nothing is lost when the process ends. Errors become what
 * `redactError` says of them, with a stack from the level `error` on; failures that repeat
 * themselves are counted.
 */
export function openLog(
  config: Pick<Config, 'logLevel'>,
  stream: DestinationStream = destination({ dest: 2, sync: true }),
): Logger {
  const repeats = new Repeats()
  return pino(
    {
      level: config.logLevel,
      base: undefined,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      // Lines of libraries bring whole requests and answers; the method below has left them out.
      serializers: { err: (value: unknown) => value, req: () => undefined, res: () => undefined },
      hooks: {
        logMethod(args, method, level) {
          const { fields, message } = read(args as readonly unknown[], level)
          const write = (told: Fields) => method.apply(this, [told, message])
          if (level < warn) write(fields)
          else repeats.take({ fields, message, write })
        },
        streamWrite: withinBounds,
      },
    },
    stream,
  )
}

/** Fields and sentence of a call, in whichever of pino's forms it was made. */
function read(
  [first, second]: readonly unknown[],
  level: number,
): { fields: Fields; message: string } {
  if (typeof first === 'string') return { fields: {}, message: sentence(first) }
  const fields = first instanceof Error ? { err: first } : ((first ?? {}) as Fields)
  const failure = fields['err']
  const quotes = failure instanceof Error && typeof second === 'string'
  // Libraries repeat the error's own message, which may hold anything.
  const isOwn = typeof second === 'string' && !(quotes && second === failure.message)
  return {
    fields: admitted(fields, level),
    message: isOwn ? sentence(second) : 'a fault without a sentence',
  }
}

function sentence(text: string): string {
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text
}

function admitted(fields: Fields, level: number): Fields {
  const told: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'err') told['err'] = redactError(value, level >= error)
    else if (typeof value === 'number' || typeof value === 'boolean') told[name] = value
    else if (value instanceof Date) told[name] = value.toISOString()
    // Often what a driver has said.
    else if (name === 'reason') told[name] = masked(String(value))
    else if (textNames.has(name)) told[name] = textOf(value)
  }
  // Whoever watches the database has told of it already.
  const isConsequence = told['down'] === undefined && isDatabaseUnavailable(fields['err'])
  return isConsequence ? { ...told, because: 'the database' } : told
}

function textOf(value: unknown): string | readonly string[] | undefined {
  if (typeof value === 'string') return sentence(value)
  if (!Array.isArray(value)) return undefined
  return value.slice(0, listMax).map((item) => sentence(String(item)))
}

function withinBounds(line: string): string {
  if (Buffer.byteLength(line) <= lineBytesMax) return line
  const { level, time, reqId, msg, err } = JSON.parse(line) as Record<string, unknown>
  const { type, code } = (err ?? {}) as Record<string, unknown>
  return `${JSON.stringify({ level, time, reqId, err: { type, code }, isCut: true, msg })}\n`
}
