// Which file of the build each module goes into. Left to itself the builder makes a file of every
// module that two screens share, some forty for each screen; connections that carry six at a time
// then take turns, and small files pack badly.

import { build, type Plugin, type PluginOption, type Rolldown } from 'vite'

type Chunk = Rolldown.OutputChunk

const react = /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/
const bar = /[\\/]src[\\/]app[\\/]framed\.tsx$/
const playerScreen = /[\\/]src[\\/]screens[\\/](?!admin\.)[\w-]+\.tsx$/
const staffScreen = /[\\/]src[\\/]screens[\\/]admin\.tsx$|-panel\.tsx$/

/** What screens share joins one file up to this size, in bytes before packing. */
const smallBytesMax = 3_000
/** What this many screens share joins it up to a larger size. */
const screensMin = 4
const largeBytesMin = 25_000

/**
 * Names the file of each module, by what a build without names shows: which modules are left when
 * what nobody uses is gone, and who loads them.
 * @param plugins those of the build that decide what a module holds
 */
export function screenChunks(
  plugins: PluginOption[],
  rolldownOptions: Rolldown.InputOptions,
): Plugin {
  return {
    name: 'screen-chunks',
    apply: 'build',
    async config() {
      const name = await namer(plugins, rolldownOptions)
      // A name goes to all that its modules need, and to nothing else.
      const codeSplitting = { groups: [{ name }], includeDependenciesRecursively: false }
      return { build: { rolldownOptions: { output: { codeSplitting } } } }
    },
  }
}

/** @returns null for a module whose file the builder chooses */
async function namer(
  plugins: PluginOption[],
  rolldownOptions: Rolldown.InputOptions,
): Promise<(id: string) => string | null> {
  const result = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'error',
    plugins: [noStyles, ...plugins],
    build: { write: false, minify: false, modulePreload: false, rolldownOptions },
  })
  const { output } = result as Rolldown.RolldownOutput
  const chunks = output.filter((item): item is Chunk => item.type === 'chunk')
  const names = new Map<string, string>()
  for (const [chunk, name] of chunkNames(chunks)) {
    for (const id of Object.keys(chunk.modules)) names.set(id, name)
  }
  // React changes more seldom than the rest, so its file is kept longest.
  return (id) => (react.test(id) ? 'react' : (names.get(id) ?? null))
}

const noStyles: PluginOption = {
  name: 'no-styles',
  enforce: 'pre',
  load: (id) => (id.endsWith('.css') ? '' : undefined),
}

/**
 * One file for what the first paint needs, one for the bar with what screens of players share, one
 * for what the tabs of staff share. Each needs those before it alone, so that none leads back.
 */
function chunkNames(chunks: readonly Chunk[]): ReadonlyMap<Chunk, string> {
  const { needs, partsOf } = chunkGraph(chunks)
  const names = new Map<Chunk, string>()
  for (const entry of chunks.filter(({ isEntry }) => isEntry)) {
    for (const chunk of needs(entry)) names.set(chunk, 'app')
  }
  // What is asked for by its own address keeps its file.
  const shared = chunks.filter(({ isEntry, isDynamicEntry }) => !isEntry && !isDynamicEntry)
  const name = (common: string, isCommon: (chunk: Chunk) => boolean) => {
    const wanted = new Set(shared.filter((chunk) => !names.has(chunk) && isCommon(chunk)))
    const isWhole = (chunk: Chunk) =>
      [...needs(chunk)].every((next) => names.has(next) || wanted.has(next))
    for (const chunk of [...wanted].filter(isWhole)) names.set(chunk, common)
  }
  const addressed = (address: RegExp) =>
    chunks.filter(({ facadeModuleId }) => address.test(facadeModuleId ?? ''))
  const isShared = (users: readonly Chunk[], chunk: Chunk) => {
    const count = users.filter((user) => needs(user).has(chunk)).length
    const bytes = bytesOf(chunk)
    return count >= screensMin ? bytes < largeBytesMin : count > 0 && bytes <= smallBytesMax
  }
  const everywhere = addressed(bar)
  const players = addressed(playerScreen)
  const staff = addressed(staffScreen)
  const ofPlayers = new Set(
    [...everywhere, ...players].flatMap((screen) => [
      ...needs(screen),
      ...partsOf(screen).flatMap((part) => [...needs(part)]),
    ]),
  )
  name('frame', (chunk) => needs(everywhere[0]).has(chunk) || isShared(players, chunk))
  name('panels', (chunk) => !ofPlayers.has(chunk) && isShared(staff, chunk))
  return names
}

function chunkGraph(chunks: readonly Chunk[]) {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const found = (files: readonly string[]) => files.flatMap((file) => byFile.get(file) ?? [])
  /** A file and all that it imports at once. */
  const needs = (chunk: Chunk | undefined, known = new Set<Chunk>()): Set<Chunk> => {
    if (!chunk || known.has(chunk)) return known
    known.add(chunk)
    for (const next of found(chunk.imports)) needs(next, known)
    return known
  }
  /** What a screen fetches when it is used. */
  const partsOf = (screen: Chunk) =>
    [...needs(screen)]
      .filter(({ isEntry }) => !isEntry)
      .flatMap(({ dynamicImports }) => found(dynamicImports))
  return { needs, partsOf }
}

function bytesOf({ modules }: Chunk): number {
  return Object.values(modules).reduce((sum, { renderedLength }) => sum + renderedLength, 0)
}
