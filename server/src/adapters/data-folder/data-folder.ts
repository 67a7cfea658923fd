// The data folder, which belongs to one process: created, checked and locked before use.

import { accessSync, constants, existsSync, mkdirSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type FolderLock, lockFolder } from './lock.ts'

/** The folder cannot be used; the message says why. */
export class UnusableFolder extends Error {}

export interface DataFolder {
  /** The embedded database's own folder. */
  readonly database: string
  readonly dumps: string
  release(): Promise<void>
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
  ENOSPC: 'the disk is full',
  ENOENT: 'the place does not exist',
  EISDIR: 'it is a folder',
}
/** As the engine's own file system numbers what it was refused. */
const engineCodes: Readonly<Record<number, string>> = { 2: 'EACCES', 51: 'ENOSPC', 69: 'EROFS' }

/** Why the file system refused something, in words; undefined when it was not the file system. */
export function refusalOf(error: unknown): string | undefined {
  const { code, errno = 0, syscall, name } = error as NodeJS.ErrnoException
  const known = name === 'ErrnoError' ? engineCodes[errno] : code
  if (known !== undefined && reasons[known] !== undefined) return reasons[known]
  if (name === 'ErrnoError') return `error ${errno} of the file system`
  return syscall === undefined ? undefined : code
}

/** Three files of the engine's log: it ends itself when it cannot begin the next one. */
export const freeBytesMin = 50_000_000

/** Whether the engine of the embedded database lacks room for its log. */
export function lacksRoom(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < freeBytesMin
}

/** Makes the folder when missing, readable by its owner alone. @throws UnusableFolder */
export function makeDataFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unusable(path, causeOf(path, error))
  }
}

/** Node says of a folder on a read-only file system that it is not there; what holds it knows. */
function causeOf(path: string, error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return error
  let holder = dirname(path)
  // The top of a path is its own holder, also where it is a drive that is missing.
  while (!existsSync(holder) && holder !== dirname(holder)) holder = dirname(holder)
  try {
    accessSync(holder, constants.W_OK)
    return error
  } catch (cause) {
    return cause
  }
}

function unusable(path: string, error: unknown): UnusableFolder {
  const why = refusalOf(error) ?? String(error)
  return new UnusableFolder(`The data folder ${path} cannot be used: ${why}`)
}

/**
 * Makes the folder and takes its lock when `isExclusive`, which the embedded database needs.
 * @throws UnusableFolder, or FolderInUse naming the holder
 */
export async function openDataFolder(path: string, isExclusive: boolean): Promise<DataFolder> {
  makeDataFolder(path)
  let lock: FolderLock | undefined
  try {
    if (isExclusive) lock = await lockFolder(path, new Date())
  } catch (error) {
    throw refusalOf(error) === undefined ? error : unusable(path, error)
  }
  return {
    database: join(path, 'database'),
    dumps: join(path, 'dumps'),
    release: async () => lock?.release(),
  }
}
