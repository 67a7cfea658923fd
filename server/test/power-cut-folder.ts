// A folder that remembers what a power cut would leave: only what was synced, name by name.

import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import {
  type EngineModule,
  type OpenStream,
  SyncedFolder,
  streamOperations,
} from '../src/adapters/db/embedded.ts'

interface Write {
  readonly bytes: Buffer
  readonly position: number
}

interface FileState {
  /** Content that has reached the disk. */
  durable: Buffer
  /** Writes since the last sync, in order; a power cut loses them. */
  waiting: Write[]
}

const enginePrefix = '/pglite/data'

/**
 * Records writes and syncs of an engine. The worst case is assumed: nothing reaches the disk before
 * it is synced. A name is on the disk once its file or its folder was synced; removed and renamed
 * files keep their old names until the folder is synced.
 */
export class PowerCutFolder extends SyncedFolder {
  syncs = 0
  private readonly folder: string
  private readonly before: string
  private readonly files = new Map<object, FileState>()
  private readonly names = new Map<string, object>()
  private readonly gone = new Set<string>()

  /** `before` keeps a copy of the folder as it was, which must be a closed and synced database. */
  constructor(folder: string, before: string) {
    super(folder)
    this.folder = folder
    this.before = before
    rmSync(before, { recursive: true, force: true })
    cpSync(folder, before, { recursive: true })
  }

  protected override prepare(engine: EngineModule): void {
    super.prepare(engine)
    const operations = streamOperations(engine)
    const { write, fsync } = operations
    operations.write = (stream, memory, offset, length, position) => {
      const bytes = Buffer.from(memory.subarray(offset, offset + length))
      const count = write(stream, memory, offset, length, position)
      this.state(stream).waiting.push({ bytes: bytes.subarray(0, count), position })
      return count
    }
    operations.fsync = (stream) => {
      const failure = fsync?.(stream) ?? 0
      this.onSync(stream)
      return failure
    }
  }

  /** Writes what a cut at this moment would leave into `target`. */
  cut(target: string): void {
    rmSync(target, { recursive: true, force: true })
    cpSync(this.before, target, { recursive: true })
    for (const name of this.gone) rmSync(join(target, name), { recursive: true, force: true })
    for (const [name, node] of this.names) {
      const state = this.files.get(node)
      if (state === undefined) continue
      mkdirSync(dirname(join(target, name)), { recursive: true })
      writeFileSync(join(target, name), state.durable)
    }
  }

  private state(stream: OpenStream): FileState {
    const known = this.files.get(stream.node)
    if (known !== undefined) return known
    const state = { durable: this.contentBefore(this.nameOf(stream)), waiting: [] }
    this.files.set(stream.node, state)
    return state
  }

  private contentBefore(name: string): Buffer {
    if (this.gone.has(name) || this.names.has(name)) return Buffer.alloc(0)
    try {
      return readFileSync(join(this.before, name))
    } catch {
      return Buffer.alloc(0)
    }
  }

  private onSync(stream: OpenStream): void {
    this.syncs += 1
    const name = this.nameOf(stream)
    const path = join(this.folder, name)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
      this.onFolderSync(name)
      return
    }
    const state = this.state(stream)
    for (const { bytes, position } of state.waiting) {
      const end = position + bytes.length
      if (end > state.durable.length) {
        state.durable = Buffer.concat([state.durable, Buffer.alloc(end - state.durable.length)])
      }
      bytes.copy(state.durable, position)
    }
    state.waiting = []
    this.names.set(name, stream.node)
  }

  /** Removals become lasting. New names appear with their own sync, which PostgreSQL does first. */
  private onFolderSync(folder: string): void {
    const present = new Set(readdirSync(join(this.folder, folder)))
    const before = [...this.names.keys(), ...this.namesBefore(folder)]
    for (const name of before) {
      if (dirname(name) !== (folder || '.') || present.has(relative(folder, name))) continue
      this.names.delete(name)
      this.gone.add(name)
    }
    this.adoptRenamed(folder)
  }

  /**
   * A file synced under another name and renamed since has its new name once the folder is synced.
   */
  private adoptRenamed(folder: string): void {
    for (const node of this.files.keys()) {
      const { name, parent } = node as { name: string; parent?: { name: string } }
      if (parent === undefined || parent.name !== folder.split('/').at(-1)) continue
      const path = join(folder, name)
      if (statSync(join(this.folder, path), { throwIfNoEntry: false })?.isFile()) {
        this.names.set(path, node)
      }
    }
  }

  private namesBefore(folder: string): string[] {
    try {
      return readdirSync(join(this.before, folder)).map((name) => join(folder, name))
    } catch {
      return []
    }
  }

  private nameOf(stream: OpenStream): string {
    return relative(enginePrefix, stream.path)
  }
}
