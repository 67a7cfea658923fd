// `npm run emoji-font`: makes the font for emoji in the product's own texts, so that they look the
// same everywhere. It cuts them out of Noto Color Emoji (SIL Open Font License 1.1) and needs npm,
// python3 and the network. The font is in the repository, so builds need none of these.
// `emoji-font.test.ts` fails when a text uses an emoji that the font lacks.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './install.mjs'

/** Emoji of the texts, and of packs with an emoji icon: those that the seven drawn icons show. */
const drawn = '🎉📦🎁🎲👑💎🧊'

const source = '@fontsource/noto-color-emoji@5.3.2'
const packages = ['fonttools==4.66.1', 'brotli==1.2.0']
const wholeFont = 'package/files/noto-color-emoji-emoji-400-normal.woff2'
// Browsers that can draw it read COLR; vertical text and joined emoji do not occur.
const dropped = ['SVG ', 'GSUB', 'vhea', 'vmtx']
const styles = join(root, 'web/src/styles')

function run(command, words, cwd) {
  const { status } = spawnSync(command, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`${command} ${words[0]} failed`)
}

function cutFont(folder, codes) {
  run('npm', ['pack', source, '--silent'], folder)
  run('tar', ['-xzf', 'fontsource-noto-color-emoji-5.3.2.tgz', wholeFont], folder)
  run('python3', ['-m', 'venv', 'python'], folder)
  run('python/bin/pip', ['install', '--quiet', ...packages], folder)
  const words = [
    wholeFont,
    `--unicodes=${codes.join(',')}`,
    `--drop-tables+=${dropped.join(',')}`,
    '--no-recalc-timestamp',
    '--flavor=woff2',
    `--output-file=${join(styles, 'fonts/emoji.woff2')}`,
  ]
  run('python/bin/pyftsubset', words, folder)
}

/** A browser that cannot draw such a font uses its own emoji; none loads it without need. */
function styleSheet(codes) {
  return `/* Emoji of our own texts. Made by \`npm run emoji-font\`. */

@font-face {
  font-family: "Redpack emoji";
  font-display: swap;
  src: url("./fonts/emoji.woff2") format("woff2") tech(color-COLRv1);
  unicode-range: ${codes.join(', ')};
}
`
}

const folder = mkdtempSync(join(tmpdir(), 'redpack-emoji-'))
try {
  const codes = [...drawn].map((sign) => sign.codePointAt(0)).sort((one, other) => one - other)
  const names = codes.map((code) => `U+${code.toString(16).toUpperCase()}`)
  cutFont(folder, names)
  writeFileSync(join(styles, 'emoji.css'), styleSheet(names))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
