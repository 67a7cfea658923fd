// Fifty packs a request with the catalogue of the demo: five pack types whose packs mostly win,
// with limited prizes and prizes of packs. The product over HTTP and a server written the ordinary
// way, which leaves the packs out that a prize brings.

import { demoPackTypes, demoPrizes } from '../server/src/demo/catalogue.ts'
import { median, requestText, runLoad } from './load.ts'
import { endBenchmark, isShort, writeResults } from './results.ts'
import { logged, prepareScene, type Scene, usersCount } from './scene.ts'
import { startOrdinaryServer, startServer } from './server-process.ts'
import { ofRounds, toSlowWay } from './shortfalls.ts'

const port = 3907
const ordinaryPort = 3908
const seconds = Number(process.env['BENCH_SECONDS'] ?? 4)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)
const quantity = 50
/** What is limited stays so, and lasts as long as the benchmark. */
const limitedStock = 100_000_000
/** The pack type of the scene itself is the first. */
const firstPackType = 2

const prizes = demoPrizes.map((prize) => ({
  name: prize.name,
  win_frequency: prize.winFrequency,
  total_packs: prize.totalPacks,
  red_coin_amount: prize.redCoinAmount,
  inventory_quantity: prize.inventoryQuantity && limitedStock,
  pack_type_id: prize.packReward === null ? null : idOf(prize.packReward.packType),
  pack_quantity: prize.packReward?.quantity ?? 0,
  packs: prize.packTypes.map(idOf),
}))

function idOf(key: string): number {
  return firstPackType + demoPackTypes.findIndex((type) => type.key === key)
}

const fillCatalogue = `
  INSERT INTO pack_types (id, name) OVERRIDING SYSTEM VALUE
    SELECT ${firstPackType} + n, 'Demo ' || n FROM generate_series(0, ${demoPackTypes.length - 1}) n;
  CREATE TEMPORARY TABLE demo AS SELECT * FROM jsonb_to_recordset(
    $json$${JSON.stringify(prizes)}$json$) AS d (name text, win_frequency int, total_packs int,
    red_coin_amount bigint, inventory_quantity int, pack_type_id int, pack_quantity int,
    packs int[]);
  INSERT INTO prizes (name, win_frequency, total_packs, red_coin_amount, inventory_quantity,
    pack_type_id, pack_quantity) SELECT name, win_frequency, total_packs, red_coin_amount,
    inventory_quantity, pack_type_id, pack_quantity FROM demo;
  INSERT INTO prize_pack_types (prize_id, pack_type_id)
    SELECT p.id, unnest(d.packs) FROM demo d JOIN prizes p ON p.name = d.name;
  INSERT INTO user_packs (user_id, pack_type_id, quantity)
    SELECT u.id, t.id, 1000000 FROM users u, pack_types t WHERE t.id >= ${firstPackType};
  INSERT INTO odds_tables (pack_type_id, table_hash, body)
    SELECT id, lpad(id::text, 64, '0'), '{}' FROM pack_types`

const others: Record<string, Readonly<Record<string, number>>> = {}

/** Openings of random users and pack types; what failed opened nothing. */
async function openings(scene: Scene, at: number, connections: number): Promise<number> {
  const result = await runLoad({
    port: at,
    connections,
    seconds,
    next: () => {
      const packTypeId = firstPackType + Math.floor(Math.random() * demoPackTypes.length)
      const cookie = scene.cookie(Math.floor(Math.random() * usersCount))
      return requestText(
        'POST',
        '/api/packs/open',
        cookie,
        JSON.stringify({ packTypeId, quantity }),
      )
    },
  })
  if (result.succeededPerSecond < result.requestsPerSecond) {
    others[`port ${at}, ${connections} callers`] = result.others
  }
  return result.succeededPerSecond
}

const scene = await prepareScene()
const ordinaryScene = await prepareScene()
for (const { query } of [scene, ordinaryScene]) await query(fillCatalogue)
const server = await startServer(scene.url, port)
const ordinary = await startOrdinaryServer(ordinaryScene.url, ordinaryPort)
const rows = []
const ratios: Record<string, number[]> = {}
try {
  await openings(scene, port, 8)
  await openings(ordinaryScene, ordinaryPort, 8)
  await logged(scene)
  // Plans that were made while the tables were empty go through all of what they have become.
  for (const { query } of [scene, ordinaryScene]) await query('VACUUM ANALYZE')
  for (const connections of [1, 8, 64]) {
    const ours: number[] = []
    const theirs: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await openings(scene, port, connections))
      await logged(scene)
      // It takes ten seconds to answer many callers once, and is slow enough each time.
      const known = isShort && connections > 1 ? theirs[0] : undefined
      theirs.push(known ?? (await openings(ordinaryScene, ordinaryPort, connections)))
    }
    const row = {
      connections,
      product: Number(median(ours).toFixed(1)),
      ordinary: Number(median(theirs).toFixed(1)),
      ratio: Number((median(ours) / median(theirs)).toFixed(2)),
    }
    rows.push(row)
    ratios[`${connections} callers, to the ordinary way`] = ofRounds(ours, theirs).map(toSlowWay)
    console.log(row)
  }
} finally {
  server.kill()
  ordinary.kill()
  await scene.drop()
  await ordinaryScene.drop()
}
await writeResults('demo-catalogue', { seconds, rounds, quantity, rows, failed: others }, ratios)
endBenchmark()
