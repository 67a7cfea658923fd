// The public description of the Helix API, where it lies beside the clone, as a judge of answers.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Ajv, { type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

const place = new URL('../../../shared/fidelity/twitch-helix.openapi.json', import.meta.url)
const file = fileURLToPath(place)

/** False in a clone on its own: the comparison is skipped then. */
export const hasHelixDescription = existsSync(file)

type Path = '/users' | '/streams' | '/chat/chatters' | '/chat/messages' | '/eventsub/subscriptions'

interface Description {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >
}

let judge: { readonly ajv: Ajv; readonly description: Description } | undefined

function openJudge() {
  const description = JSON.parse(readFileSync(file, 'utf8'), (key, value) =>
    // The real service answers null where an object is described (twitchdev/issues#1019).
    key === 'drop_reason' ? { ...value, nullable: true } : value,
  ) as Description
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats(ajv)
  ajv.addSchema({ ...description, $id: 'helix' })
  return { ajv, description }
}

/** What is wrong with an answer's body; empty when the description agrees. */
export function helixFaults(path: Path, method: string, status: number, body: unknown): string[] {
  judge ??= openJudge()
  const pointer = [
    'paths',
    path.replaceAll('/', '~1'),
    method,
    'responses',
    String(status),
    'content',
    'application~1json',
    'schema',
  ].join('/')
  const validate = judge.ajv.getSchema(`helix#/${pointer}`) as ValidateFunction | undefined
  if (validate === undefined) return [`${method} ${path} ${status} is not described`]
  validate(body)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
