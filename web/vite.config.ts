// How the browser's part is built: hashed assets in few files, and all that the first paint needs
// in the page itself.

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractForBrowsers } from './contract-for-browsers.ts'
import { firstPaint } from './first-paint.ts'
import { screenChunks } from './screen-chunks.ts'

/** Address of the server that a development page talks to. */
const server = 'http://127.0.0.1:3000'

/** Contract modules only declare; one that no screen asks for stays out of the bundle. */
const treeshake = {
  moduleSideEffects: [{ test: /[\\/]contract[\\/]src[\\/]/, sideEffects: false }],
}

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    contractForBrowsers(),
    firstPaint(),
    screenChunks([react(), contractForBrowsers()], { treeshake }),
  ],
  server: { proxy: { '/api': { target: server, ws: true }, '/log': server, '/uploads': server } },
  build: {
    target: 'es2023',
    // The content security policy allows no data: fonts, and small pictures are cached better as
    // files.
    assetsInlineLimit: 0,
    // Which file leads to which, for `tools/script-budgets.mjs`.
    manifest: true,
    // The polyfill would be one more script before the first.
    modulePreload: { polyfill: false },
    rolldownOptions: { treeshake },
  },
})
