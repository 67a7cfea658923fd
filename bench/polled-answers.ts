// What a poll costs that has its answer already, against one that gets it anew: users for staff
// with 100,000 of them, and the packs of one player.

import type { ChildProcess } from 'node:child_process'
import { median } from './load.ts'
import { writeResults } from './results.ts'
import { prepareScene, type Scene, usersCount } from './scene.ts'
import { processorSeconds, startServer } from './server-process.ts'
import { ofRounds } from './shortfalls.ts'

const port = 3904
const usersWanted = 100_000
const rounds = 3
/** How long one way has its turn: a few answers of a millisecond would say nothing. */
const turnMillis = 400
/** A known answer takes a millisecond; what is more than ten times as dear is not told apart. */
const ratioMax = 10

const fillSql = `
  INSERT INTO pack_types (name) SELECT 'Type ' || n FROM generate_series(1, 3) n;
  INSERT INTO users (twitch_id, username, display_name, email, red_coin_balance)
    SELECT 'm' || n, 'viewer_' || md5(n::text), 'Viewer ' || n, 'v' || n || '@example.org', n % 9000
    FROM generate_series(1, ${usersWanted - usersCount}) n;
  INSERT INTO user_packs (user_id, pack_type_id, quantity)
    SELECT u.id, t.id, 1 + (u.id + t.id) % 5 FROM users u JOIN pack_types t ON t.id > 1
    WHERE (u.id + t.id) % 3 > 0;
  UPDATE users SET role = 'admin' WHERE id = 1;`

const polls = [
  { name: 'every user with packs', path: '/api/admin/users-with-packs' },
  { name: 'one page of users', path: '/api/admin/users?sort=-redCoinBalance&limit=50' },
  { name: 'a search among users', path: '/api/admin/users?search=a7b&limit=50' },
  { name: 'the packs of a player', path: '/api/user/packs' },
]

async function ask({ cookie }: Scene, path: string, etag?: string) {
  const headers = {
    cookie: cookie(0),
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
  }
  const started = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  const bytes = (await answer.arrayBuffer()).byteLength
  const millis = performance.now() - started
  return { status: answer.status, bytes, millis, etag: answer.headers.get('etag') ?? '' }
}

type Answer = Awaited<ReturnType<typeof ask>>

/** Milliseconds of polls for a while, each after `before`. */
async function millisOf(
  scene: Scene,
  status: number,
  before: (scene: Scene, poll: number) => Promise<unknown>,
  poll: () => Promise<Answer>,
): Promise<number[]> {
  const millis: number[] = []
  const until = performance.now() + turnMillis
  for (let count = 0; count < 1 || performance.now() < until; count += 1) {
    await before(scene, count)
    const answer = await poll()
    if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}`)
    millis.push(answer.millis)
  }
  return millis
}

const nothing = async () => undefined
/** A commit that changes nothing which these polls show. */
const elsewhere = ({ query }: Scene, round: number) =>
  query(`INSERT INTO app_settings (key, value) VALUES ('bench ${Math.random()}', '${round}')`)
/** A commit that changes what these polls show. */
const shown = ({ query }: Scene, round: number) =>
  query(`UPDATE user_packs SET quantity = ${1_000_000 + round} WHERE user_id = 1`)

async function measure(scene: Scene, server: ChildProcess, path: string) {
  const { bytes } = await ask(scene, path)
  const turns = { anew: [] as number[], known: [] as number[], whileBusy: [] as number[] }
  let processorMillis = 0
  let knownPolls = 0
  for (let round = 0; round < rounds; round += 1) {
    turns.anew.push(median(await millisOf(scene, 200, shown, () => ask(scene, path))))
    const { etag } = await ask(scene, path)
    const known = () => ask(scene, path, etag)
    const before = processorSeconds(server)
    const millis = await millisOf(scene, 304, nothing, known)
    processorMillis += (processorSeconds(server) - before) * 1000
    knownPolls += millis.length
    turns.known.push(median(millis))
    turns.whileBusy.push(median(await millisOf(scene, 304, elsewhere, known)))
  }
  const middle = (figures: readonly number[]) => Number(median(figures).toFixed(2))
  return {
    bytes,
    anewMillis: middle(turns.anew),
    notModifiedMillis: middle(turns.known),
    notModifiedProcessorMillis: Number((processorMillis / knownPolls).toFixed(2)),
    notModifiedWhileBusyMillis: middle(turns.whileBusy),
    ratios: ofRounds(turns.anew, turns.known).map((ratio) => Math.min(ratio, ratioMax)),
  }
}

async function run(scene: Scene): Promise<void> {
  await scene.query(fillSql)
  await scene.query('VACUUM ANALYZE')
  const server = await startServer(scene.url, port)
  try {
    const rows = []
    for (const { name, path } of polls) {
      const row = { name, ...(await measure(scene, server, path)) }
      console.log(row)
      rows.push(row)
    }
    const ratios = Object.fromEntries(rows.map((row) => [`${row.name}, anew to known`, row.ratios]))
    await writeResults('polled-answers', { users: usersWanted, rows }, ratios)
  } finally {
    server.kill()
  }
}

const prepared = await prepareScene()
await run(prepared).finally(() => prepared.drop())
process.exit()
