// Says what each check of a draw found, in plain words.

import { formatRedCoin, plural } from '../../lib/format.ts'
import type { DrawProof, Verdict } from './draw-proof.ts'
import { rollCount, type TableEntry } from './draw-table.ts'
import { type CheckName, checkNames, messageOf, type Verification } from './verify-proof.ts'

/** One check as it is shown. */
export interface ReportStep {
  readonly name: string
  readonly title: string
  readonly verdict: Verdict
  readonly text: string
  /** What was compared or computed. */
  readonly values: readonly { readonly name: string; readonly value: string }[]
}

export interface VerificationStep extends ReportStep {
  readonly name: CheckName
}

/** The verdict in one line. */
export function summaryText({ verification }: { readonly verification: Verification }): string {
  const { verdict, checks } = verification
  if (verdict === 'failed') return 'Failed: this draw does not add up'
  if (checks.commitment === 'waiting') return 'Not complete yet: the server seed is still secret'
  if (verdict === 'waiting') return 'The draw is right; it is not in the public log yet'
  return 'Verified: this draw was fair'
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
  return `${percentFormat.format(Number(tenThousandths) / 10_000)}%`
}

export function verificationSteps(
  { opening, table }: DrawProof,
  verification: Verification,
): VerificationStep[] {
  const words: Record<CheckName, Words> = {
    table: tableWords(opening, verification),
    commitment: commitmentWords(opening, verification),
    roll: rollWords(opening, verification),
    outcome: outcomeWords(opening, table, verification),
    log: logWords(verification),
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
        ? 'The revealed seed gives exactly the commitment.'
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
  const name = opening.scheme === 1 ? 'Client seed and nonce' : 'Client seed, nonce and odds table'
  const message = { name, value: messageOf(opening) }
  if (opening.serverSeed === null) return { title, text: secret, values: [message] }
  if (digest === null || roll === null) {
    return { title, text: 'The server seed is not 64 hex digits.', values: [message] }
  }
  return {
    title,
    text: `The roll stands at ${rollPercent(roll)} of the whole range. ${seedText(opening)}`,
    values: [
      message,
      { name: 'Digest', value: digest },
      { name: 'Roll', value: `${roll} of ${rollCount}` },
    ],
  }
}

/** Who chose the client seed, and what that means for the draw. */
export function seedText({ clientSeedFrom }: Pick<Opening, 'clientSeedFrom'>): string {
  if (clientSeedFrom === 'player') return 'The client seed came from the player.'
  if (clientSeedFrom === null) return 'It was not written down then who chose the client seed.'
  return 'No browser had sent a client seed, so the server put one of its own in its place: the server knew both seeds of this draw.'
}

function outcomeWords(
  opening: Opening,
  { consolationRedCoin }: DrawProof['table'],
  { checks, drawn }: Verification,
): Words {
  const title = 'The roll gives what you got'
  if (opening.serverSeed === null) return { title, text: secret, values: [] }
  if (drawn === undefined) return { title, text: 'There is no roll to compare.', values: [] }
  if (checks.outcome !== 'passed') {
    return { title, text: `${drawnText(drawn)} That is not what the opening says.`, values: [] }
  }
  const paid = opening.prizeId === null ? paidText(consolationRedCoin) : prizeText(drawn)
  return { title, text: [drawnText(drawn), gotText(opening), paid].join(' ').trim(), values: [] }
}

function drawnText(drawn: TableEntry | null): string {
  return drawn === null
    ? 'The roll lies above every prize: no prize.'
    : `The roll lies in the range of “${drawn.name}”.`
}

function gotText({ soldOut }: Opening): string {
  if (soldOut) return 'That prize was sold out, so the pack counts as one without a prize.'
  return 'That is what the opening says.'
}

/** What a pack without prize pays, as far as the table says it. */
function paidText(consolation: number | undefined): string {
  if (consolation === undefined) return ''
  return consolation > 0 ? `Such a pack paid ${formatRedCoin(consolation)}.` : 'It paid nothing.'
}

/** What came with a prize. */
function prizeText(drawn: TableEntry | null): string {
  const packs = drawn?.rewardPackQuantity ?? 0
  const added = `${plural(packs, 'pack', 'packs')} of type ${drawn?.rewardPackTypeId}`
  const parts = [
    ...(drawn && drawn.redCoinAmount > 0 ? [formatRedCoin(drawn.redCoinAmount)] : []),
    ...(packs > 0 ? [added] : []),
  ]
  return parts.length > 0 ? `It paid ${parts.join(' and ')}.` : ''
}

function logWords({ log }: Verification): Words {
  const title = 'The opening stands in the public log'
  if (!log.proof) return { title, text: log.text, values: [] }
  const { index, checkpoint } = log.proof
  return {
    title,
    text: log.text,
    values: [
      { name: 'Number of the entry', value: String(index) },
      { name: 'Entry', value: log.entry ?? '' },
      { name: 'Checkpoint', value: checkpoint.text },
    ],
  }
}
