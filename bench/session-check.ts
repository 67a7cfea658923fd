// GET /api/auth/me with every protection on, against a bare server that answers the same bytes.

import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { median, requestText, runLoad } from './load.ts'
import { writeResults } from './results.ts'
import { prepareScene, usersCount } from './scene.ts'
import { ofRounds, typical } from './shortfalls.ts'

const productPort = 3902
const barePort = 3903
const connections = 64
const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)

if (process.argv[2] === 'bare') {
  const body = Buffer.from(process.argv[3] ?? '', 'base64')
  const headers = JSON.parse(process.argv[4] ?? '{}') as Record<string, string>
  createServer((_request, response) => {
    response.writeHead(200, headers)
    response.end(body)
  }).listen(barePort, '127.0.0.1', () => process.send?.('ready'))
} else {
  await compare()
  process.exit()
}

function child(file: string, args: string[], environment: Record<string, string>) {
  const process_ = fork(file, args, {
    env: { ...process.env, ...environment },
    execArgv: ['--import', 'tsx'],
  })
  return new Promise<typeof process_>((resolve) =>
    process_.once('message', () => resolve(process_)),
  )
}

async function compare(): Promise<void> {
  const scene = await prepareScene()
  const server = await child(fileURLToPath(new URL('./bench-server.ts', import.meta.url)), [], {
    DATABASE_URL: scene.url,
    PORT: String(productPort),
    RATE_LIMITS: process.env['RATE_LIMITS'] ?? 'off',
    NODE_ENV: 'test',
  })
  const sample = await fetch(`http://127.0.0.1:${productPort}/api/auth/me`, {
    headers: { cookie: scene.cookie(0) },
  })
  const body = Buffer.from(await sample.arrayBuffer())
  const headers: Record<string, string> = {}
  for (const [name, value] of sample.headers) {
    if (!['date', 'connection', 'keep-alive'].includes(name)) headers[name] = value
  }
  const bare = await child(
    fileURLToPath(import.meta.url),
    ['bare', body.toString('base64'), JSON.stringify(headers)],
    {},
  )
  // The poll of open pages: a few hundred viewers, each asking again and again.
  const viewers = Math.min(500, usersCount)
  const requests = Array.from({ length: viewers }, (_, index) =>
    requestText('GET', '/api/auth/me', scene.cookie(index), undefined),
  )
  const load = (port: number) => {
    let turn = 0
    const next = () => {
      turn = (turn + 1) % viewers
      return requests[turn] ?? ''
    }
    return runLoad({ port, connections, seconds, next })
  }
  await load(productPort)
  await load(barePort)
  const figures = { product: [] as number[], bare: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    const product = await load(productPort)
    const plain = await load(barePort)
    if (Object.keys(product.others).length > 0) console.log('  not 200:', product.others)
    figures.product.push(product.requestsPerSecond)
    figures.bare.push(plain.requestsPerSecond)
  }
  const ratio = ofRounds(figures.product, figures.bare)
  const row = {
    connections,
    product: Math.round(median(figures.product)),
    bare: Math.round(median(figures.bare)),
    ratio: typical(ratio),
  }
  console.log(row)
  server.kill()
  bare.kill()
  await scene.drop()
  await writeResults(
    'session-check',
    { seconds, rounds, rows: [row] },
    { 'to a bare server': ratio },
  )
}
