// Reads what the container is made from: the steps of a Dockerfile and the rules of .dockerignore.
// It knows only what ours use; anything else is an error, so that nothing is silently ignored.

export interface Step {
  /** Number of the line on which it begins. */
  readonly line: number
  readonly instruction: string
  readonly words: string
}

export interface Stage {
  readonly image: string
  readonly name: string | undefined
  readonly steps: readonly Step[]
}

const known = [
  'FROM',
  'WORKDIR',
  'COPY',
  'RUN',
  'ENV',
  'USER',
  'VOLUME',
  'EXPOSE',
  'HEALTHCHECK',
  'CMD',
]

/** @throws on an instruction that is not known here */
export function readStages(text: string): Stage[] {
  const stages: { image: string; name: string | undefined; steps: Step[] }[] = []
  for (const step of readSteps(text)) {
    if (!known.includes(step.instruction)) throw new Error(`${step.instruction} is not known`)
    if (step.instruction === 'FROM') {
      const [image = '', , name] = step.words.split(/\s+/)
      stages.push({ image, name, steps: [] })
    } else stages.at(-1)?.steps.push(step)
  }
  return stages
}

function readSteps(text: string): Step[] {
  const steps: Step[] = []
  let joined = ''
  let line = 0
  for (const [index, raw] of text.split('\n').entries()) {
    if (joined === '' && /^\s*(#|$)/.test(raw)) continue
    if (joined === '') line = index + 1
    joined += raw.replace(/\\$/, ' ')
    if (raw.endsWith('\\')) continue
    const [, instruction = '', words = ''] = /^(\w+)\s+(.*)$/.exec(joined.trim()) ?? []
    steps.push({ line, instruction, words: words.trim() })
    joined = ''
  }
  return steps
}

export interface Copy {
  /** Stage whose files are taken; the build's own context when there is none. */
  readonly from: string | undefined
  readonly sources: readonly string[]
  readonly target: string
}

export function readCopy({ words }: Step): Copy {
  const parts = words.split(/\s+/)
  const from = parts[0]?.startsWith('--from=') ? parts.shift()?.slice('--from='.length) : undefined
  return { from, sources: parts.slice(0, -1), target: parts.at(-1) ?? '' }
}

/**
 * Which paths below the root the build may see: the last rule that matches a path or a folder above
 * it decides.
 */
export function contextFilter(dockerignore: string): (path: string) => boolean {
  const rules = dockerignore
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isKept = line.startsWith('!')
      return { isKept, pattern: patternOf(isKept ? line.slice(1) : line) }
    })
  return (path) =>
    rules.reduce((isSeen, { isKept, pattern }) => (pattern.test(path) ? isKept : isSeen), true)
}

/** The rule itself, or anything below a folder that it names. */
function patternOf(rule: string): RegExp {
  const body = rule
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\//g, '\u0000')
    .replace(/\*/g, '[^/]*')
    .replaceAll('\u0000', '(?:.*/)?')
  return new RegExp(`^${body}(?:/.*)?$`)
}
