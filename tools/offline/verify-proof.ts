// Checks a saved file offline: `node verify-proof.mjs FILE [--key KEY]`. It needs only Node. The
// file is the proof of an opening, or the memory that the site's page saves.

import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkSaved, readSavedFile } from '../../fair/src/verify.ts'

const marks = {
  ...{ passed: 'ok     ', failed: 'FAILED ', noted: 'note   ' },
  ...{ waiting: '--     ', unchecked: '--     ' },
}
const usage = 'Usage: node verify-proof.mjs FILE [--key KEY]'
const say = (line: string) => process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const options = { key: { type: 'string', default: '' } } as const
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new Error(usage)
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) throw new Error(`There is no file ${file}`)
  const saved = await readSavedFile({
    size: found.size,
    text: async () => readFileSync(file, 'utf8'),
  })
  const { verdict, summary, steps } = await checkSaved(saved, values.key)
  for (const step of steps) {
    say(`${marks[step.verdict]} ${step.title}: ${step.text}`)
    // The values of a proof stand in its file; what was withheld is only found here.
    if (step.name === 'withheld')
      for (const { name, value } of step.values) say(`        ${name} ${value}`)
  }
  say(summary)
  if (verdict === 'failed') process.exitCode = 1
}

main().catch((error: NodeJS.ErrnoException) => {
  say(error.message)
  if (error.code?.startsWith('ERR_PARSE_ARGS') === true) say(usage)
  process.exitCode = 1
})
