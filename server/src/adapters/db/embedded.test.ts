import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PowerCutFolder } from '../../../test/power-cut-folder.ts'
import { type Database, statement } from './database.ts'
import { openEmbedded } from './embedded.ts'

const insert = statement('insert_entry', 'INSERT INTO entries (id, note) VALUES ($1, $2)')
const countEntries = statement('count_entries', 'SELECT count(*)::int AS n FROM entries')
const entriesIn = async (db: Database) => (await db.run<{ n: number }>(countEntries, []))[0]!.n

let root: string
let pristine: string

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'redpack-embedded-'))
  pristine = join(root, 'pristine')
  const db = await openEmbedded(pristine)
  await db.script('CREATE TABLE entries (id integer PRIMARY KEY, note text)')
  await db.close()
}, 60_000)

afterAll(() => rmSync(root, { recursive: true, force: true }))

const copyOf = (name: string): string => {
  const folder = join(root, name)
  cpSync(pristine, folder, { recursive: true })
  return folder
}

describe('the embedded database at a power cut', () => {
  it('keeps every acknowledged commit when nothing that was not synced survives', async () => {
    const folder = copyOf('cut')
    const files = new PowerCutFolder(folder, join(root, 'before'))
    const db = await openEmbedded(folder, { files })
    for (let id = 1; id <= 120; id += 1) {
      await db.run(insert, [id, 'x'.repeat(id)])
      if (id === 50) await db.script('CHECKPOINT')
      if (id === 60) await db.script("UPDATE entries SET note = note || 'y'")
      if (id % 40 !== 0) continue
      const left = join(root, `left-${id}`)
      files.cut(left)
      const reopened = await openEmbedded(left)
      expect(await entriesIn(reopened)).toBe(id)
      await reopened.close()
    }
    expect(files.syncs).toBeGreaterThanOrEqual(120)
    await db.close()
  }, 60_000)

  it('would lose commits with the engine as it comes, so the rehearsal above can fail', async () => {
    const folder = copyOf('unsynced')
    const files = new PowerCutFolder(folder, join(root, 'before-unsynced'))
    const engine = await PGlite.create({ fs: files })
    await engine.query("INSERT INTO entries VALUES (1, 'acknowledged')")
    const left = join(root, 'left-unsynced')
    files.cut(left)
    const reopened = await openEmbedded(left)
    expect(await entriesIn(reopened)).toBe(0)
    await reopened.close()
    await engine.close()
  }, 60_000)

  it('makes no sync for a read', async () => {
    const folder = copyOf('reads')
    const files = new PowerCutFolder(folder, join(root, 'before-reads'))
    const db = await openEmbedded(folder, { files })
    await entriesIn(db)
    const before = files.syncs
    await entriesIn(db)
    expect(files.syncs).toBe(before)
    await db.close()
  }, 60_000)
})

describe('a folder that is no sound database', () => {
  const contentOf = (folder: string): string => {
    const hash = createHash('sha256')
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name.startsWith('postmaster.')) continue
      hash.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)))
    }
    return hash.digest('hex')
  }

  it.each([
    ['its control file is zeros', 'global/pg_control'],
    ['its version file is garbage', 'PG_VERSION'],
  ])(
    'is refused and left as it is when %s',
    async (_what, file) => {
      const folder = copyOf(`damaged-${file.replace('/', '-')}`)
      writeFileSync(join(folder, file), Buffer.alloc(8192))
      const before = contentOf(folder)
      await expect(openEmbedded(folder)).rejects.toThrow(
        `${folder} cannot be opened: it is damaged`,
      )
      expect(contentOf(folder)).toBe(before)
    },
    60_000,
  )

  it('is refused when it holds other files', async () => {
    const folder = join(root, 'foreign')
    mkdirSync(folder)
    writeFileSync(join(folder, 'holiday.txt'), 'Not a database')
    await expect(openEmbedded(folder)).rejects.toThrow(`${folder} holds no database`)
    expect(readdirSync(folder)).toEqual(['holiday.txt'])
  })
})
