// Writes a dump of the configured database to a file.

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { refusalOf } from '../adapters/data-folder/data-folder.ts'
import type { Database } from '../adapters/db/database.ts'
import { writeDump } from '../adapters/db/dump.ts'
import { oneQuery, oneValueQuery } from '../adapters/db/queries.ts'
import type { Config } from '../config/config.ts'
import { CannotRun, type CommandOutput, withDatabase } from './command.ts'

const hasImages = oneValueQuery<{ hasImages: boolean }>(
  'backup_find_images',
  `SELECT to_regclass('public.images') IS NOT NULL AS "hasImages"`,
)
const countImages = oneQuery<Pictures>(
  'backup_count_images',
  `SELECT count(bytes)::int AS inside, (count(*) - count(bytes))::int AS outside FROM images`,
)

/** Works on a PostgreSQL in use; an embedded database must not be in use. */
export async function backUp(config: Config, name: string, output: CommandOutput): Promise<void> {
  const file = resolve(name)
  const { rows, pictures } = await withDatabase(config, async (db) => {
    const dump = await writeDump(db, file, {
      createdAt: new Date(),
      onProgress: (done) => output.progress(`${done} rows written`),
    }).catch((error: unknown) => {
      const why = refusalOf(error)
      throw why === undefined ? error : new CannotRun(`No dump was written to ${file}: ${why}`)
    })
    return { ...dump, pictures: await readPictures(db) }
  })
  output.progress('')
  const kilobytes = Math.ceil(statSync(file).size / 1000)
  output.line(`Wrote ${rows} rows to ${file} (${kilobytes} kB)`)
  for (const line of pictureLines(pictures, config)) output.line(line)
  const keyPlace =
    config.encryptionKey === undefined ? 'copy it from DATA_DIR' : 'keep ENCRYPTION_KEY elsewhere'
  output.line(`The encryption key is not in the dump: ${keyPlace}.`)
}

interface Pictures {
  readonly inside: number
  readonly outside: number
}

/** How many uploaded pictures the database holds, and how many it only knows by name. */
async function readPictures(db: Database): Promise<Pictures> {
  return (await hasImages(db)) ? countImages(db) : { inside: 0, outside: 0 }
}

function pictureLines({ inside, outside }: Pictures, { bucket }: Config): string[] {
  if (inside + outside === 0) return ['No pictures were uploaded.']
  const lines: string[] = []
  if (inside > 0) {
    lines.push(
      inside === 1
        ? 'The dump holds 1 uploaded picture.'
        : `The dump holds ${inside} uploaded pictures.`,
    )
  }
  if (outside > 0) {
    const place = bucket === undefined ? 'a bucket' : `the bucket ${bucket.name}`
    const [some, them] =
      outside === 1 ? ['1 uploaded picture', 'it'] : [`${outside} uploaded pictures`, 'them']
    lines.push(`The dump does NOT hold ${some}. Copy ${them} from ${place}.`)
  }
  return lines
}
