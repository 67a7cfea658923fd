// Openings per second: the product over HTTP, and a server written the ordinary way.

import { median, runLoad } from './load.ts'
import { endBenchmark, isShort, ofRounds, toSlowWay, writeResults } from './results.ts'
import { logged, prepareScene, randomOpenings, type Scene, usersCount } from './scene.ts'
import { startServer } from './server-process.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)

/** A server that opens packs over HTTP. */
interface Way {
  readonly name: string
  readonly scene: Scene
  readonly port: number
}

/** Openings of random users; what failed opened nothing. */
async function overHttp(way: Way, quantity: number, connections: number) {
  const { name, scene, port } = way
  const next = randomOpenings(usersCount, scene.packTypeId, quantity)
  const result = await runLoad({ port, connections, seconds, next })
  if (result.succeededPerSecond < result.requestsPerSecond) {
    console.log(`  not 200 from ${name}: ${JSON.stringify(result.others)}`)
  }
  return result
}

// Each has a database of its own: the product would log what the other has opened.
const scene = await prepareScene()
const other = await prepareScene()
const product = { name: 'the product', scene, port: 3901 }
const ordinary = { name: 'the ordinary server, which deadlocks', scene: other, port: 3902 }
const servers = [
  await startServer(scene.url, product.port),
  await startServer(other.url, ordinary.port, {}, './ordinary-server.ts'),
]
const crowds = [1, 8, 64]
const rows: object[] = []
const ratios: Record<string, number[]> = {}

/** Lets each way have its turn with every crowd in every round. */
async function measure(quantity: number): Promise<void> {
  const figures = crowds.map((connections) => {
    return { connections, http: [] as number[], ordinary: [] as number[], p99: 0 }
  })
  for (let round = 0; round < rounds; round += 1) {
    for (const figure of figures) {
      const { connections } = figure
      const http = await overHttp(product, quantity, connections)
      await logged(scene)
      figure.http.push(http.succeededPerSecond)
      figure.p99 = Math.max(figure.p99, http.p99Millis)
      // With fifty packs it takes ten seconds to answer many callers once.
      const known = isShort && quantity > 1 && connections > 1 ? figure.ordinary[0] : undefined
      const ordinaryWay = () => overHttp(ordinary, quantity, connections)
      figure.ordinary.push(known ?? (await ordinaryWay()).succeededPerSecond)
    }
  }
  const alone = figures[0]?.http ?? []
  for (const { connections, http, ordinary: slow, p99 } of figures) {
    const [ours = 0, theirs = 0] = [http, slow].map((rates) => Math.round(median(rates)))
    const worstP99Millis = Math.round(p99)
    const row = { packs: quantity, connections, http: ours, ordinary: theirs, worstP99Millis }
    rows.push(row)
    console.log(row)
    const name = `${quantity} packs, ${connections} callers, to`
    ratios[`${name} the ordinary way`] = ofRounds(http, slow).map(toSlowWay)
    // What many callers lose is not seen in the ratio to a way so slow.
    if (connections > 1) ratios[`${name} one caller`] = ofRounds(http, alone)
  }
}

try {
  // The odds table of the product gets its row, and both ways their plans, before anything counts.
  await overHttp(product, 1, 8)
  await logged(scene)
  // Nothing of the other reads what the table says, only its number and hash.
  await other.query(
    "INSERT INTO odds_tables (pack_type_id, table_hash, body) VALUES (1, repeat('0', 64), '{}')",
  )
  for (const quantity of [1, 50]) {
    await overHttp(product, quantity, 8)
    await overHttp(ordinary, quantity, 8)
  }
  await logged(scene)
  // Plans that were made while the tables were empty go through all of what they have become.
  for (const { query } of [scene, other]) await query('VACUUM ANALYZE')
  for (const quantity of [1, 50]) await measure(quantity)
} finally {
  for (const server of servers) server.kill()
  for (const { drop } of [scene, other]) await drop()
}
await writeResults('openings', { seconds, rounds, users: usersCount, rows }, ratios)
endBenchmark()
