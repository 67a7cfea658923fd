// Says what each check of a draw found, in plain words.

import type { DrawProof, ProofEntry, Verdict, Verification } from './verify-proof.ts'
import { type CheckName, checkNames, rollCount } from './verify-proof.ts'

/** One check as it is shown. */
export interface VerificationStep {
  readonly name: CheckName
  readonly title: string
  readonly verdict: Verdict
  readonly text: string
  /** What was compared or computed. */
  readonly values: readonly { readonly name: string; readonly value: string }[]
}

type Words = Pick<VerificationStep, 'title' | 'text' | 'values'>
type Opening = DrawProof['opening']

const secret = 'Needs the server seed, which is still secret.'
const howToReveal =
  'The server seed is still secret. Rotate your seeds to reveal it, then verify again.'

const percentFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 4 })

/** Where a roll stands among all rolls, as a percentage rounded to four decimals. */
export function rollPercent(roll: bigint): string {
  const tenThousandths = (roll * 2_000_000n + rollCount) / (2n * rollCount)
  return `${percentFormat.format(Number(tenThousandths) / 10_000)} %`
}

export function verificationSteps(
  { opening }: DrawProof,
  verification: Verification,
): VerificationStep[] {
  const words: Record<CheckName, Words> = {
    table: tableWords(opening, verification),
    commitment: commitmentWords(opening, verification),
    roll: rollWords(opening, verification),
    outcome: outcomeWords(opening, verification),
  }
  return checkNames.map((name) => ({ name, verdict: verification.checks[name], ...words[name] }))
}

function tableWords(opening: Opening, { checks, tableHash }: Verification): Words {
  return {
    title: 'The odds are the ones that were in force',
    text:
      checks.table === 'passed'
        ? 'The table gives exactly the fingerprint that is stored with the opening.'
        : 'The table does not give the fingerprint that is stored with the opening.',
    values: [
      { name: 'Fingerprint computed here', value: tableHash },
      { name: 'Fingerprint in the opening', value: opening.tableHash },
    ],
  }
}

function commitmentWords(opening: Opening, { checks, serverSeedHash }: Verification): Words {
  const title = 'The server seed is the one committed to'
  const published = { name: 'Commitment', value: opening.serverSeedHash }
  if (opening.serverSeed === null) return { title, text: howToReveal, values: [published] }
  return {
    title,
    text:
      checks.commitment === 'passed'
        ? 'The revealed seed gives exactly the commitment. Compare it with the one you noted before you opened the pack.'
        : 'The revealed seed does not give the commitment.',
    values: [
      { name: 'Server seed', value: opening.serverSeed },
      { name: 'Fingerprint computed here', value: serverSeedHash ?? '' },
      published,
    ],
  }
}

function rollWords(opening: Opening, { digest, roll }: Verification): Words {
  const title = 'Both seeds and the counter give the roll'
  const message = { name: 'Client seed and nonce', value: `${opening.clientSeed}:${opening.nonce}` }
  if (opening.serverSeed === null) return { title, text: secret, values: [message] }
  if (digest === null || roll === null) {
    return { title, text: 'The server seed is not 64 hex digits.', values: [message] }
  }
  return {
    title,
    text: `The roll stands at ${rollPercent(roll)} of the whole range.`,
    values: [
      message,
      { name: 'Digest', value: digest },
      { name: 'Roll', value: `${roll} of ${rollCount}` },
    ],
  }
}

function outcomeWords(opening: Opening, { checks, drawn }: Verification): Words {
  const title = 'The roll gives what you got'
  if (opening.serverSeed === null) return { title, text: secret, values: [] }
  if (drawn === undefined) return { title, text: 'There is no roll to compare.', values: [] }
  const isRight = checks.outcome === 'passed'
  return { title, text: `${drawnText(drawn)} ${gotText(opening, isRight)}`, values: [] }
}

function drawnText(drawn: ProofEntry | null): string {
  return drawn === null
    ? 'The roll lies above every prize: no prize.'
    : `The roll lies in the range of “${drawn.name}”.`
}

function gotText({ soldOut }: Opening, isRight: boolean): string {
  if (!isRight) return 'That is not what the opening says.'
  if (soldOut) return 'That prize was sold out, so the pack counts as one without a prize.'
  return 'That is what the opening says.'
}
