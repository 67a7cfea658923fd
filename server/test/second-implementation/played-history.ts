// A history for a second implementation to replay: openings of all kinds, staff at work between.

import { expect } from 'vitest'
import { nextDay, type Person, type TestDeps } from '../deps.ts'

/** What the answers of the product said, to be found again in the log. */
export interface Told {
  draws: number
  wins: number
}

interface PackTypes {
  readonly plain: number
  readonly whole: number
  readonly scaled: number
  readonly limited: number
  readonly long: number
  readonly late: number
}

/** Every control character that a name may hold, in the middle where nothing is trimmed. */
const controlCharacters = Array.from({ length: 0x9f }, (_, index) => index + 1)
  .filter((code) => code < 0x20 || code >= 0x7f)
  .map((code) => String.fromCharCode(code))
  .join('')

const hostileNames: readonly string[] = [
  'a "quoted" \\ back\\\\slashed \\" \\u0041 name',
  `all${controlCharacters}controls`,
  'line\u2028and\u2029paragraph',
  '👩‍👩‍👧‍👦 🏳️‍🌈 𝕏 \u{10ffff}!',
  '🎁'.repeat(200),
  'قميص مجاني עברית 5',
  '__proto__',
  '<script>alert("1")</script><!-- </table> &amp;',
  '{"prizeId":1,"name":"no","winFrequency":1}',
  'NUL as \\u0000, slash / and \u007f',
]

/** Entropy of players who send their own; the last one leaves it to the server. */
const entropies = [...Array.from({ length: 6 }, (_, n) => `${n}${n}`.repeat(32)), undefined]

async function ask(person: Person, method: 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) {
  const answer = await person.send(method, url, body)
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBe(200)
  return answer.json()
}

async function addPrize(staff: Person, fields: Record<string, unknown>): Promise<number> {
  return (await ask(staff, 'POST', '/api/admin/prizes', { deadlineDays: 300, ...fields })).id
}

async function addPackTypes(staff: Person): Promise<PackTypes> {
  const add = async (name: string): Promise<number> =>
    (await ask(staff, 'POST', '/api/admin/pack-types', { name })).id
  return {
    plain: await add('Plain'),
    whole: await add('Whole'),
    scaled: await add('Scaled'),
    limited: await add('Limited'),
    long: await add('Long'),
    late: await add('Late'),
  }
}

/** Shares that are no binary fractions, one that adds up to exactly 1, and sums far above it. */
async function addUnlimitedPrizes(staff: Person, types: PackTypes): Promise<void> {
  const shares: ReadonlyArray<readonly [number[], number, number, Record<string, unknown>?]> = [
    [[types.plain, types.scaled], 1, 3, { redCoinAmount: 11 }],
    [[types.plain, types.scaled], 2, 7, { packTypeId: types.whole, packQuantity: 2 }],
    [[types.plain], 1, 1_000_000, { redCoinAmount: 9_007_199_254 }],
    [[types.whole], 1, 3],
    [[types.whole], 2, 3, { redCoinAmount: 1 }],
    [[types.scaled], 999_999, 1_000_000],
    [[types.scaled], 5, 2, { redCoinAmount: 25, packTypeId: types.plain, packQuantity: 1 }],
    [[types.scaled], 2_147_483_647, 1],
    [[types.limited], 1, 12, { redCoinAmount: 3 }],
    [[types.limited], 1, 2_147_483_647],
  ]
  for (const [index, [packTypeIds, winFrequency, totalPacks, more]] of shares.entries()) {
    const name = hostileNames[index]!
    await addPrize(staff, { name, packTypeIds, winFrequency, totalPacks, ...more })
  }
}

/** So many names that are long when escaped that their table does not fit one entry of the log. */
async function addLongTable(staff: Person, packTypeId: number): Promise<void> {
  for (let index = 0; index < 56; index += 1) {
    const name = `${index}-${'\u0001'.repeat(190)}"\\é`
    await addPrize(staff, { name, packTypeIds: [packTypeId], winFrequency: 1, totalPacks: 70 })
  }
}

/** The acts of staff, one between two rounds. */
function staffActs(staff: Person, types: PackTypes, rare: number, certain: number) {
  const stock = (id: number, call: string, body: unknown) =>
    ask(staff, 'POST', `/api/admin/prizes/${id}/${call}`, body)
  const edit = (id: number, body: unknown) => ask(staff, 'PUT', `/api/admin/prizes/${id}`, body)
  const consolation = (amount: number) =>
    ask(staff, 'PUT', '/api/admin/settings/economy', { consolationRedCoin: amount })
  return [
    () => stock(rare, 'add-inventory', { quantity: 4 }),
    () => stock(certain, 'set-inventory', { unlimited: true }),
    () => consolation(0),
    () => stock(certain, 'set-inventory', { quantity: 6 }),
    () => edit(certain, { name: 'edited \u2028 "\\', winFrequency: 5, redCoinAmount: 40 }),
    () => edit(rare, { inventoryQuantity: null, packTypeIds: [types.limited, types.plain] }),
    () => consolation(7),
    () => edit(rare, { inventoryQuantity: 2, totalPacks: 3 }),
    () => stock(certain, 'set-inventory', { quantity: 0 }),
    () => ask(staff, 'DELETE', `/api/admin/prizes/${rare}`),
    () => ask(staff, 'POST', `/api/admin/prizes/${rare}/restore`),
    () => stock(rare, 'add-inventory', { quantity: 30 }),
    () => stock(rare, 'set-inventory', { quantity: 1 }),
  ]
}

async function open(viewer: Person, packTypeId: number, quantity: number, told: Told) {
  const entropy = entropies[Number(viewer.name.replace('viewer', ''))]
  const body = { packTypeId, quantity, ...(entropy && { entropy }) }
  let answer = await viewer.send('POST', '/api/packs/open', body)
  // A player may be told to try again while staff change the odds; nothing was opened then.
  for (let times = 0; answer.statusCode === 409 && times < 5; times += 1) {
    answer = await viewer.send('POST', '/api/packs/open', body)
  }
  expect(answer.statusCode, answer.body).toBe(200)
  const { results, proof } = answer.json()
  expect(results).toHaveLength(quantity)
  expect(proof.entropyFrom).toBe(entropy === undefined ? 'server' : 'player')
  told.draws += quantity
  told.wins += results.filter(({ won }: { won: boolean }) => won).length
}

const quantities = [50, 1, 17, 33, 2, 41, 8]

/** Everybody opens a type of their own and then, at the same time, the limited one. */
async function playRound(viewers: readonly Person[], types: PackTypes, round: number, told: Told) {
  const order = [types.plain, types.scaled, types.whole, types.long, types.limited]
  await Promise.all(
    viewers.map(async (viewer, index) => {
      const quantity = quantities[(round * viewers.length + index) % quantities.length]!
      await open(viewer, order[(round + index) % order.length]!, quantity, told)
      await open(viewer, types.limited, 1 + ((round + 3 * index) % 7), told)
    }),
  )
}

async function addViewers(t: TestDeps, types: PackTypes): Promise<Person[]> {
  const packs = Object.fromEntries(Object.values(types).map((id) => [id, 1_000]))
  const viewers: Person[] = []
  for (const index of entropies.keys()) viewers.push(await t.person(`viewer${index}`, { packs }))
  return viewers
}

/** Some of what waits to be sent goes further, and its winner does not want another. */
async function ship(staff: Person, viewer: Person): Promise<void> {
  const { shipments } = (await staff.get('/api/admin/shipments?state=address_wanted')).json()
  const [first, second, third] = shipments.map(({ claimId }: { claimId: string }) => claimId)
  const change = (body: object) => staff.send('PATCH', '/api/admin/shipments', body)
  await change({ claimIds: [first], state: 'delivered' })
  await change({ claimIds: [second], deadline: '2099-01-01T00:00:00Z' })
  await staff.send('DELETE', `/api/admin/prize-claims/${third}`)
  const { claims } = (await viewer.get('/api/user/prize-claims/paginated?limit=50')).json()
  for (const { claimId, shipment } of claims) {
    if (shipment?.canDecline) await ask(viewer, 'POST', `/api/user/prize-claims/${claimId}/decline`)
  }
}

/**
 * Plays all of it over the API; `appendToLog` runs between the rounds. Midnight comes in between,
 * and in the end somebody deletes their account.
 */
export async function playHistory(t: TestDeps, appendToLog: () => Promise<void>): Promise<Told> {
  const told = { draws: 0, wins: 0 }
  const staff = await t.person('keeper', { role: 'super_user' })
  const types = await addPackTypes(staff)
  await addUnlimitedPrizes(staff, types)
  await addLongTable(staff, types.long)
  const limited = { packTypeIds: [types.limited], name: 'few', winFrequency: 1 }
  const rare = await addPrize(staff, { ...limited, totalPacks: 5, inventoryQuantity: 1 })
  const certain = await addPrize(staff, { ...limited, totalPacks: 2, inventoryQuantity: 9 })
  const viewers = await addViewers(t, types)
  for (const [round, act] of staffActs(staff, types, rare, certain).entries()) {
    // Every second act comes while packs are being opened.
    if (round % 2 === 0) await Promise.all([playRound(viewers, types, round, told), act()])
    else await playRound(viewers, types, round, told).then(act)
    if (round % 3 === 1) await ship(staff, viewers[round % viewers.length]!)
    if (round % 4 === 1) await appendToLog()
  }
  // What was won while there was no limit takes no unit, and gives none back.
  const sole = { packTypeIds: [types.late], name: 'late', winFrequency: 1, totalPacks: 1 }
  const late = await addPrize(staff, sole)
  await open(viewers[0]!, types.late, 1, told)
  await ask(staff, 'PUT', `/api/admin/prizes/${late}`, { inventoryQuantity: 5 })
  await ship(staff, viewers[0]!)
  nextDay(t.clock)
  await playRound(viewers, types, 0, told)
  const leaving = viewers.pop()!
  await ask(leaving, 'DELETE', '/api/user', { confirm: leaving.name })
  await appendToLog()
  return told
}
