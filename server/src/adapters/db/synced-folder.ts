// The embedded engine's files with real synchronisation to the disk, which its own file layer
// leaves out.

import { closeSync, fsyncSync, openSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type EngineInit = NodeFS['init']
type EngineOptions = Parameters<EngineInit>[1]
/** The engine's module, as handed to its `preRun` steps. */
export type EngineModule = Parameters<NonNullable<EngineOptions['preRun']>[number]>[0]

/** The engine's table of operations on open files; Emscripten calls `fsync` when it is there. */
export interface StreamOperations {
  fsync?: (stream: OpenStream) => number
  write: (
    stream: OpenStream,
    memory: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ) => number
}

export interface OpenStream {
  /** File descriptor of the operating system. */
  readonly nfd: number
  readonly path: string
  readonly node: object
}

/** `errno` of an input/output error in the numbering of WASI, which the engine is compiled for. */
const wasiInputOutputError = 29

/**
 * Start parameters with which the engine keeps PostgreSQL's own rules of durability: without `-F`
 * it asks for a sync of its log before every commit is acknowledged, and of everything else at
 * checkpoints. The log must be synced by `fsync`: `fdatasync`, the default, is an empty stub in the
 * engine's C library.
 */
export const syncedStartParams: readonly string[] = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
]

/** The operations on open files of an engine that is about to run. */
export function streamOperations(engine: EngineModule): StreamOperations {
  // Emscripten's types describe a file system by its mount alone.
  return (engine.NODEFS as unknown as { stream_ops: StreamOperations }).stream_ops
}

/** A folder of the operating system whose files are synced whenever the engine asks for it. */
export class SyncedFolder extends NodeFS {
  override async init(...[engine, options]: Parameters<EngineInit>): ReturnType<EngineInit> {
    const prepared = await super.init(engine, options)
    const preRun = [
      ...(prepared.emscriptenOpts.preRun ?? []),
      (started: EngineModule) => this.prepare(started),
    ]
    return { emscriptenOpts: { ...prepared.emscriptenOpts, preRun } }
  }

  protected prepare(engine: EngineModule): void {
    streamOperations(engine).fsync = syncStream
  }
}

/** Syncs an open file. A failure reaches PostgreSQL as such, which then refuses to go on. */
function syncStream(stream: OpenStream): number {
  try {
    fsyncSync(stream.nfd)
    return 0
  } catch {
    return wasiInputOutputError
  }
}

/** Syncs every file and folder below `folder`, and the folder itself, children before parents. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await syncTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(folder)
}

/** Syncs one file or folder by its path; syncing a folder makes names in it last. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
