// Where the program's own files lie. The bundle stands as deep in the tree as this source file.

import { fileURLToPath } from 'node:url'

export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url))

/** The built web application; absent until it is built. */
export const siteFolder = fileURLToPath(new URL('../../web/dist', import.meta.url))
