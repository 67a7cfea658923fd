// What the page carries in itself, so that the first paint waits for nothing else: the style sheet
// and the first script. The server names both by their hashes in the page's policy.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle

const firstScript = new URL('./public/start.js', import.meta.url)

/** Puts the style sheet and the first script in, and the fonts and each screen's files early. */
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
          html: withScript(withStyle(html, bundle)),
          tags: [
            ...fonts(bundle).map((href) => ({
              tag: 'link',
              attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href, crossorigin: '' },
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

function withStyle(html: string, bundle: Bundle): string {
  return html.replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/, (link, file: string) => {
    const asset = bundle[file]
    return asset?.type === 'asset' ? `<style>${asset.source}</style>` : link
  })
}

function withScript(html: string): string {
  const text = readFileSync(firstScript, 'utf8').replace(/^\s*\/\/.*\n/gm, '')
  return html.replace('<script src="/start.js"></script>', () => `<script>${text}</script>`)
}

/**
 * The files of each screen beyond those of the entry, by the first word of its address; those of
 * the bar, which every screen but the first has, under `frame`.
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
    frame: frame ? filesOf(frame.fileName, initial) : [],
  }
  for (const { facadeModuleId, fileName } of chunks) {
    if (!facadeModuleId?.includes('/src/screens/')) continue
    found[basename(facadeModuleId, '.tsx')] = filesOf(fileName, new Set([...initial, ...inFrame]))
  }
  return found
}
