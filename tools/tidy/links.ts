// Finds links of a Markdown page that lead to no file of the repository.

import { posix } from 'node:path'

const link = /\]\(([^)\s]+)\)/g

/** Relative links of `page` whose target is neither a file nor a folder among `files`. */
export function deadLinks(page: string, text: string, files: readonly string[]): string[] {
  const places = new Set(files.flatMap((file) => [file, ...foldersOf(file)]))
  return [...text.matchAll(link)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?:|mailto:|#)/.test(target))
    .filter((target) => {
      const path = posix.join(posix.dirname(page), target.split('#')[0] ?? '')
      return !places.has(path.replace(/\/$/, ''))
    })
}

function foldersOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'))
}
