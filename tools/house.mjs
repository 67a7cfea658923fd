// `npm run house`: measures the size of the product, each figure beside its aim. `-- --names` lists
// the files and triggers.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { circles, groupBy, roomOf, valueClosure } from './check/import-graph.mjs'
import { readImports, sourceFiles } from './check/imports.mjs'
import { countLines, isProduct, isTest } from './check/lines.mjs'
import { root } from './install.mjs'

const read = (file) => readFileSync(join(root, file), 'utf8')
const files = sourceFiles(root)
const imports = readImports(root)
const products = files.filter(isProduct)
const linesOf = new Map(files.map((file) => [file, countLines(read(file))]))
const sumOf = (some) => some.reduce((sum, file) => sum + linesOf.get(file), 0)
const ofProduct = imports.filter(({ from, to }) => isProduct(from) && isProduct(to))

const crumbLinesMax = 40
const importers = groupBy(ofProduct, ({ to }) => to)
const crumbs = products.filter(
  (file) => importers.get(file)?.length === 1 && linesOf.get(file) < crumbLinesMax,
)

function roomCircles(side) {
  const rooms = ofProduct
    .map(({ from, to }) => ({ from: roomOf(from), to: roomOf(to) }))
    .filter(({ from, to }) => from !== to && from.startsWith(side) && to.startsWith(side))
  return circles(rooms)
}

/** The nine ways of ARCHITECTURE.md: the files that they list, and those that run with them. */
function ways() {
  const section = /^## Nine ways[^\n]*\n([\s\S]*?)^## /m.exec(read('ARCHITECTURE.md'))?.[1] ?? ''
  return [...section.matchAll(/^\*\*(.+?)\.?\*\*[^`]*?^```\n([\s\S]*?)^```$/gm)].map(
    ([, title, block]) => {
      const listed = block.split('\n').flatMap((line) => {
        const [folder, ...names] = line.split(/\s+/)
        return names.map((name) => `server/src/${folder}${name}.ts`)
      })
      return { title, files: valueClosure(ofProduct, listed, isOnTheWay) }
    },
  )
}

/** What every call runs before its own way, as ARCHITECTURE.md says. */
const door = new Set([
  ...['guards', 'session-cache'].map((name) => `server/src/features/account/${name}.ts`),
  ...valueClosure(
    ofProduct,
    ['server', 'endpoint-routes', 'limiter'].map((name) => `server/src/adapters/http/${name}.ts`),
    (file) => file.startsWith('server/src/adapters/'),
  ),
])

/** Neither the door that all calls pass nor the exit to the database. */
const isOnTheWay = (file) =>
  /^server\/src\/(?!shared\/|adapters\/db\/)/.test(file) && !door.has(file)

const functionText = /CREATE (?:OR REPLACE )?FUNCTION (\w+)[\s\S]*?AS (\$\w*\$)([\s\S]*?)\2/gi
const triggerText = new RegExp(
  'DROP TRIGGER (?:IF EXISTS )?(\\w+) ON (\\w+)|' +
    'CREATE TRIGGER (\\w+)[^;]*?\\bON (\\w+)[^;]*?EXECUTE (?:FUNCTION|PROCEDURE) (\\w+)',
  'gi',
)

/**
 * Names of the triggers that exist after all migrations and write or change something. Queueing
 * entries of the public log counts as guarding: the log hears of every change, whoever makes it.
 */
function writingTriggers() {
  const functions = new Map()
  const triggers = new Map()
  for (const file of files.filter((path) => path.startsWith('server/migrations/'))) {
    const sql = read(file).replace(/--.*$/gm, '')
    for (const [, name, , body] of sql.matchAll(functionText)) functions.set(name, body)
    for (const [, gone, goneFrom, made, on, calls] of sql.matchAll(triggerText)) {
      if (gone) triggers.delete(`${goneFrom}.${gone}`)
      else triggers.set(`${on}.${made}`, calls)
    }
  }
  const writes = /\b(INSERT INTO (?!log_queue)|UPDATE \w+|DELETE FROM|NEW\.\w+ *:=|pg_notify)/i
  return [...triggers].filter(([, name]) => writes.test(functions.get(name))).map(([name]) => name)
}

/** What the recipe for a field of a prize touches; recipes.test.ts follows it to the letter. */
function filesOfPrizeField() {
  const page = read('CONTRIBUTING.md')
  const recipe = /^### Add a field of a prize\n([\s\S]*?)^##/m.exec(page)?.[1] ?? ''
  const paths = [...recipe.matchAll(/^\*\*`([^`]+)`\*\*/gm)].map(([, path]) => path)
  return [...new Set(paths)].filter(isProduct)
}

const withPrizeField = filesOfPrizeField()
const longestWays = ways()
const wayCounts = longestWays.map((way) => way.files.length)
const triggers = writingTriggers()
const inHouse = products.filter((file) => /^(server|web|contract)\//.test(file))
const fileCircles = circles(imports)
const roomsOfServer = roomCircles('server/')
const roomsOfWeb = roomCircles('web/')

const figures = [
  ['Product lines', sumOf(products), 80_000, []],
  ['Product files of server, web and contract', inHouse.length, 700, []],
  [`Files under ${crumbLinesMax} lines with one importer`, crumbs.length, 20, crumbs],
  ['Test lines', sumOf(files.filter(isTest)), 60_000, []],
  [
    'Nine ways, files that each runs',
    `${Math.min(...wayCounts)} to ${Math.max(...wayCounts)}`,
    15,
    longestWays.map((way) => `${way.files.length} ${way.title}`),
  ],
  ['Product files that a new field of a prize touches', withPrizeField.length, 5, withPrizeField],
  ['Circles of files', fileCircles.length, 0, fileCircles],
  ['Circles of rooms, server', roomsOfServer.length, 0, roomsOfServer],
  ['Circles of rooms, web', roomsOfWeb.length, 0, roomsOfWeb],
  ['Triggers that do more than guard', triggers.length, 8, triggers],
]

const isNaming = process.argv.includes('--names')
console.log(`${''.padEnd(44)}${'now'.padStart(10)}${'aim'.padStart(10)}`)
for (const [name, now, aim, meant] of figures) {
  const columns = [now, aim].map((figure) => figure.toLocaleString('en').padStart(10))
  console.log(`${name.padEnd(44)}${columns.join('')}`)
  if (isNaming) for (const one of meant) console.log(`    ${[one].flat().join(' ')}`)
}
