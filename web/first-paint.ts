// What the page carries in itself, so that the first paint waits for nothing else: the style sheet
// and the first script. The server names both by their hashes in the page's policy.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** Addresses of calls by the first word of a screen's address; those of the bar under `frame`. */
export const earlyAnswers: Readonly<Record<string, readonly string[]>> = {
  frame: ['/api/user/notices'],
  dashboard: ['/api/user/stats', '/api/user/openings'],
  inventory: ['/api/packs/types', '/api/user/packs'],
  store: ['/api/store/listings'],
  leaderboard: ['/api/redcoin/leaderboard?limit=3', '/api/redcoin/leaderboard?limit=53'],
  'twitch-streams': [
    '/api/twitch/active-streams',
    '/api/twitch/watch-sessions',
    '/api/twitch/watch-completions',
  ],
}

type Bundle = Rolldown.OutputBundle

const firstScript = new URL('./public/start.js', import.meta.url)

/**
 * Puts the style sheet and the first script in, and the fonts and what each screen needs early.
 */
export function firstPaint(): Plugin {
  return {
    name: 'first-paint',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        if (!bundle) return html
        const files = { type: 'application/json', id: 'screen-files' }
        return {
          html: asideOfPictures(withScript(withStyle(html, bundle))),
          tags: [
            ...fonts(bundle).map((href) => ({
              tag: 'link',
              attrs: {
                rel: 'preload',
                as: 'font',
                type: 'font/woff2',
                href,
                crossorigin: '',
                fetchpriority: 'low',
              },
              injectTo: 'head-prepend' as const,
            })),
            {
              tag: 'script',
              attrs: files,
              children: JSON.stringify(screenFiles(bundle)),
              injectTo: 'head-prepend' as const,
            },
          ],
        }
      },
    },
  }
}

/** The faces of every page; the emoji come with the first that is seen. */
function fonts(bundle: Bundle): string[] {
  return Object.keys(bundle)
    .filter((file) => file.endsWith('.woff2') && !/\bemoji-/.test(file))
    .map((file) => `/${file}`)
}

/** The link stays, switched off: parts that name the sheet among their own take it as loaded. */
function withStyle(html: string, bundle: Bundle): string {
  return html.replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/, (link, file: string) => {
    const asset = bundle[file]
    if (asset?.type !== 'asset') return link
    return `<style>${asset.source}</style><link rel="stylesheet" href="/${file}" disabled>`
  })
}

function withScript(html: string): string {
  const text = readFileSync(firstScript, 'utf8').replace(/^\s*\/\/.*\n/gm, '')
  return html.replace('<script src="/start.js"></script>', () => `<script>${text}</script>`)
}

/** The first paint needs none of the app's files: pictures and answers go before them. */
function asideOfPictures(html: string): string {
  return html.replace(/<(script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"')
}

/**
 * What each screen asks first, and its files beyond those of the entry, by the first word of its
 * address; those of the bar, which every screen but the first has, under `frame`.
 */
function screenFiles(bundle: Bundle): Record<string, string[]> {
  const chunks = Object.values(bundle).filter((item) => item.type === 'chunk')
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const closure = (file: string, known = new Set<string>()): Set<string> => {
    if (known.has(file)) return known
    known.add(file)
    for (const next of byFile.get(file)?.imports ?? []) closure(next, known)
    return known
  }
  const entry = chunks.find(({ isEntry }) => isEntry)
  const initial = entry ? closure(entry.fileName) : new Set<string>()
  const filesOf = (file: string, known: ReadonlySet<string>) =>
    [...closure(file)].filter((name) => !known.has(name)).map((name) => `/${name}`)
  const chunkOf = (end: string) =>
    chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(end))

  const frame = chunkOf('/src/app/framed.tsx')
  const inFrame = frame ? closure(frame.fileName) : new Set<string>()
  const found: Record<string, string[]> = {
    frame: [...(earlyAnswers['frame'] ?? []), ...(frame ? filesOf(frame.fileName, initial) : [])],
  }
  for (const { facadeModuleId, fileName } of chunks) {
    if (!facadeModuleId?.includes('/src/screens/')) continue
    const word = basename(facadeModuleId, '.tsx')
    const files = filesOf(fileName, new Set([...initial, ...inFrame]))
    found[word] = [...(earlyAnswers[word] ?? []), ...files]
  }
  return found
}
