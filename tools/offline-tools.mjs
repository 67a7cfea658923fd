// `node tools/offline-tools.mjs FOLDER` builds the offline tools from the code that draws: single
// files for Node or a browser.

import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './install.mjs'

async function bundled(entryPoint, options) {
  const { build } = await import('esbuild')
  const whole = { bundle: true, write: false, charset: 'utf8', logLevel: 'warning' }
  const built = await build({
    absWorkingDir: root,
    entryPoints: [entryPoint],
    ...whole,
    ...options,
  })
  return built.outputFiles[0].text
}

const styles = `
:root { color-scheme: dark light; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 48rem; margin: 0 auto; padding: 1.5rem; overflow-wrap: anywhere; }
label { display: block; font-weight: 600; margin: 1.5rem 0 0.5rem; }
input { width: 100%; box-sizing: border-box; min-height: 2.75rem; font: inherit; }
ol { list-style: none; padding: 0; }
li { border: 1px solid GrayText; border-radius: 0.5rem; padding: 0.75rem 1rem; margin: 0.75rem 0; }
h3, li p { margin: 0.25rem 0; }
dl { margin: 0.5rem 0 0; font-size: 0.875rem; }
dd { margin: 0 0 0.5rem; font-family: ui-monospace, monospace; }
.verdict { font-size: 1.25rem; font-weight: 700; padding: 0.75rem 1rem; }
.verdict { border: 2px solid; border-radius: 0.5rem; }
.passed { color: light-dark(#116329, #4ade80); }
.waiting, .noted { color: light-dark(#7a4d00, #fbbf24); }
.failed { color: light-dark(#a40e26, #ff8182); }
`

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * The whole page as text. Its policy forbids every request and every other script, so that anyone
 * can see that a proof is not sent anywhere.
 */
export async function verifyProofPage() {
  const page = { format: 'iife', target: 'es2022', legalComments: 'inline' }
  const built = await bundled('web/src/features/fairness/offline-page.ts', page)
  const script = built.replaceAll('</', '<\\/')
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(styles)}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Offline verifier of draws</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>Offline verifier of draws</h1>
<p>Choose a file that you saved: the proof of an opening, or the memory of your browser.
It is checked on this device, and this page cannot send it anywhere.</p>
<label for="proof">Saved file</label>
<input id="proof" type="file" accept="application/json,.json">
<label for="key">Key of the public log, to check signatures with it (optional)</label>
<input id="key" type="text" autocomplete="off" spellcheck="false" placeholder="name+id+key">
<div role="status"></div>
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
<script>${script}</script>
</body>
</html>
`
}

export async function writeOfflineTools(folder) {
  const node = { format: 'esm', platform: 'node', target: 'node20.19', legalComments: 'inline' }
  mkdirSync(folder, { recursive: true })
  for (const name of ['verify-proof', 'watch-log']) {
    const text = await bundled(`tools/offline/${name}.ts`, node)
    writeFileSync(join(folder, `${name}.mjs`), text)
  }
  writeFileSync(join(folder, 'verify-proof.html'), await verifyProofPage())
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await writeOfflineTools(process.argv[2] ?? '.')
}
