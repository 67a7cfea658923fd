// A winner's delivery details: saved while the prize is not delivered, and shown to the winner.

import {
  type Body,
  Delivery,
  type DeliveryResponse,
  deliveryContract,
  shipmentsContract,
} from '@redpack/contract'
import {
  answerIssue,
  countryCodeOf,
  countryName,
  notServed,
} from '@redpack/contract/delivery-rules'
import type { Deps } from '../../adapters/deps.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { formatClaimId } from '../../rules/claim-steps.ts'
import { DomainError, existing, Unavailable, wrongField } from '../../shared/domain-error.ts'
import { contactInfoContext, isSealedText, prizeCodeContext } from '../../shared/sealed-text.ts'
import { noteCodeShown, ownCode } from '../catalogue/prize-code-tables.ts'
import { noClaim } from './change-claims.ts'
import {
  type ClaimForDelivery,
  eraseContacts,
  findClaimForDelivery,
  lockClaimForDelivery,
  writeContactInfo,
} from './tables.ts'

export function registerDeliveries({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, deliveryContract.read, ({ actor, params }) =>
    readDelivery(deps, actor.userId, params.claimId),
  )
  serve(app, guards, deliveryContract.save, async ({ actor, params, body }) => {
    await saveDelivery(deps, actor.userId, params.claimId, body)
    return readDelivery(deps, actor.userId, params.claimId)
  })
  serve(app, guards, shipmentsContract.code, ({ actor, params, reply }) => {
    reply.header('cache-control', 'no-store')
    return showCode(deps, actor.userId, params.claimId)
  })
}

/** Where a prize goes, as its winner says it. */
type GivenDelivery = Body<typeof deliveryContract.save>

function isPhysical({ red_coin_amount }: ClaimForDelivery): boolean {
  return red_coin_amount === 0
}

/**
 * The delivery details of one of the user's claims. Staff may have stored them in another form,
 * which the form of the page cannot show.
 * @throws DomainError not_found, the same for another user's claim as for none
 */
async function readDelivery(
  deps: Deps,
  userId: number,
  claimId: string,
): Promise<DeliveryResponse> {
  const claim = existing(await findClaimForDelivery(deps.db, userId, claimId), noClaim)
  return {
    claimId: formatClaimId(claim.claim_id, claim.id),
    delivery: Delivery.safeParse(openContact(deps, claim)).data ?? null,
    canChange: isPhysical(claim) && claim.status !== 'completed',
    countries: claim.countries,
    questions: claim.questions,
  }
}

/** What was saved, in whatever form; undefined when nothing is there that can be read. */
function openContact(
  { encryption }: Pick<Deps, 'encryption'>,
  { id, contact_info }: ClaimForDelivery,
): unknown {
  if (!isSealedText(contact_info)) return undefined
  const text = encryption.open(contact_info, contactInfoContext(id))
  return text === undefined ? undefined : JSON.parse(text)
}

/**
 * Seals and stores the details, in place of earlier ones.
 * @throws DomainError not_found, already_completed, wrong_state for a prize paid in RedCoin,
 * country_not_served, invalid_input for an answer that is missing or not offered
 */
export async function saveDelivery(
  deps: Deps,
  userId: number,
  claimId: string,
  delivery: GivenDelivery,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const claim = existing(await lockClaimForDelivery(tx, userId, claimId), noClaim)
    if (!isPhysical(claim))
      throw new DomainError('wrong_state', 'This prize is not delivered by post')
    if (claim.status === 'completed') {
      throw new DomainError('already_completed', 'This prize has been delivered already')
    }
    const kept = fittingDelivery(delivery, claim)
    const sealed = deps.encryption.seal(JSON.stringify(kept), contactInfoContext(claim.id))
    await writeContactInfo(tx, claim.id, sealed, deps.clock.now())
  })
}

/** As it is kept: the country by its name, each answer beside its question. */
function fittingDelivery(
  { answers: given, ...delivery }: GivenDelivery,
  { countries, questions }: Pick<ClaimForDelivery, 'countries' | 'questions'>,
) {
  const code = countryCodeOf(delivery.country)
  if (countries.length > 0 && (code === undefined || !countries.includes(code))) {
    throw wrongField('country', notServed(countries), 'country_not_served')
  }
  const errors = questions.flatMap((question, index) => {
    const message = answerIssue(question, given[index])
    return message === undefined ? [] : [{ path: `answers.${index}`, message }]
  })
  const [first] = errors
  if (first !== undefined) throw new DomainError('invalid_input', first.message, { errors })
  const country = code === undefined ? delivery.country : countryName(code)
  const answers = questions.map(({ label }, index) => ({ question: label, answer: given[index] }))
  return { ...delivery, country, ...(answers.length > 0 && { answers }) }
}

/**
 * The code that one of the user's wins was given; its timeline notes that it was looked at.
 * @throws DomainError not_found, the same for another user's claim as for none
 * @throws Unavailable when the key that has sealed it is not here
 */
async function showCode(
  { db, encryption, clock }: Pick<Deps, 'db' | 'encryption' | 'clock'>,
  userId: number,
  claimId: string,
): Promise<{ code: string }> {
  const found = existing(await ownCode(db, userId, claimId), noClaim)
  const code = encryption.open(found.sealed, prizeCodeContext(found.id))
  if (code === undefined) throw new Unavailable('The code cannot be read at the moment')
  await noteCodeShown(db, found.claimRow, clock.now())
  return { code }
}

const keptDays = 90
const dayMillis = 86_400_000
const batchMax = 500

/**
 * Erases the contact details of claims that were completed or removed 90 days ago or earlier, and
 * the numbers of their parcels, 500 at a time. May run at any time and as often as one likes.
 * @returns how many claims lost one or the other
 */
export async function eraseOldDeliveries(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const now = deps.clock.now()
  const before = new Date(now.getTime() - keptDays * dayMillis)
  for (let total = 0; ; ) {
    const erased = await eraseContacts(deps.db, before, now, batchMax)
    total += erased
    if (erased < batchMax) return total
  }
}
