// The lock on the data folder: one process at a time; the operating system holds it until it dies.

import { randomBytes } from 'node:crypto'
import { openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** Who holds a data folder, as the holder wrote it down. */
export interface LockHolder {
  readonly pid: number
  readonly host: string
  /** ISO 8601, UTC. */
  readonly startedAt: string
}

/** Another process holds the folder. The message names it. */
export class FolderInUse extends Error {
  constructor(folder: string, holder: LockHolder | undefined) {
    const who =
      holder === undefined
        ? 'another process'
        : `process ${holder.pid} on ${holder.host}, started ${holder.startedAt}`
    super(`The data folder ${folder} is in use by ${who}`)
    this.name = 'FolderInUse'
  }
}

export interface FolderLock {
  release(): Promise<void>
}

const socketPattern = /^lock-[0-9a-f]{8}\.sock$/
const attemptsMax = 20
const jitterMillisMax = 200
const connectMillisMax = 1_000
/** What fits into a socket's address on Linux (108) and macOS (104) with its ending zero. */
const socketPathLengthMax = 103

/**
 * Takes the lock on `folder`, which must exist. The lock is a listening Unix socket: the kernel
 * accepts connections to it exactly as long as its process lives, whether or not its event loop is
 * blocked. So a live holder is never taken for a dead one, nor a killed one for a live one whose
 * process id it has.
 *
 * Whoever wants the lock first listens on a socket of its own and only then looks at all others.
 * One that answers belongs to the holder, or to somebody who came at the same moment; either way
 * the newcomer gives way. Since everybody listens before looking, two can never both find
 * themselves alone. Dead sockets are removed only by the process that holds the lock.
 * @throws FolderInUse when another process holds it
 */
export async function lockFolder(folder: string, startedAt: Date): Promise<FolderLock> {
  const reach = shortPath(folder)
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const living = await firstLiving(folder, reach)
    if (living !== undefined) throw new FolderInUse(folder, readHolder(folder, living))
    const lock = await claim(folder, reach, startedAt)
    if (lock !== undefined) return lock
    // The spread only lets one of several simultaneous starts come first.
    const spread = (Number(process.hrtime.bigint() % 1000n) / 1000) * jitterMillisMax
    await new Promise((resolve) => setTimeout(resolve, spread))
  }
  throw new FolderInUse(folder, undefined)
}

/** Answers the lock, or undefined when somebody else was there. */
async function claim(
  folder: string,
  reach: string,
  startedAt: Date,
): Promise<FolderLock | undefined> {
  const own = `lock-${randomBytes(4).toString('hex')}.sock`
  const holder = { pid: process.pid, host: hostname(), startedAt: startedAt.toISOString() }
  try {
    writeFileSync(holderPath(folder, own), `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  } catch (error) {
    rmSync(holderPath(folder, own), { force: true })
    throw error
  }
  const server = await listen(folder, join(reach, own))
  const release = async () => {
    // Closing removes the socket's name as well.
    await new Promise<void>((resolve) => server.close(() => resolve()))
    rmSync(holderPath(folder, own), { force: true })
  }
  const isAlone = (await firstLiving(folder, reach, own)) === undefined
  // A holder that looked before this socket listened has taken it for dead and removed its name.
  const isThere = statSync(join(folder, own), { throwIfNoEntry: false }) !== undefined
  if (!isAlone || !isThere) {
    await release()
    return undefined
  }
  for (const dead of sockets(folder)) if (dead !== own) remove(folder, dead)
  return { release }
}

function listen(folder: string, path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new Error(`The data folder ${folder} cannot be locked: ${error.code ?? error}`))
    })
    server.listen(path, () => {
      // The lock must not keep a process alive that has nothing else to do.
      server.unref()
      resolve(server)
    })
  })
}

async function firstLiving(
  folder: string,
  reach: string,
  except?: string,
): Promise<string | undefined> {
  for (const name of sockets(folder)) {
    if (name !== except && (await isLiving(join(reach, name)))) return name
  }
  return undefined
}

/** Only a refused or missing socket is dead; a full queue or any other trouble counts as alive. */
function isLiving(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const finish = (living: boolean) => {
      socket.destroy()
      resolve(living)
    }
    socket.setTimeout(connectMillisMax, () => finish(true))
    socket.once('connect', () => finish(true))
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      finish(code !== 'ECONNREFUSED' && code !== 'ENOENT')
    })
  })
}

function sockets(folder: string): string[] {
  return readdirSync(folder).filter((name) => socketPattern.test(name))
}

const holderPath = (folder: string, socket: string): string =>
  join(folder, socket.replace('.sock', '.json'))

function readHolder(folder: string, socket: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(holderPath(folder, socket), 'utf8')) as LockHolder
  } catch {
    return undefined
  }
}

function remove(folder: string, socket: string): void {
  rmSync(join(folder, socket), { force: true })
  rmSync(holderPath(folder, socket), { force: true })
}

/**
 * A way to the folder that leaves room for a socket's name in its address. Linux reaches any folder
 * through an open descriptor, which then stays open as long as the process.
 */
function shortPath(folder: string): string {
  const longest = Buffer.byteLength(join(folder, 'lock-00000000.sock'))
  if (longest <= socketPathLengthMax || process.platform !== 'linux') return folder
  return `/proc/self/fd/${openSync(folder, 'r')}`
}
