// How the browser's part is built: hashed assets, no inline script or style, the display font
// early.

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { contractForBrowsers } from './contract-for-browsers.ts'

/** The display font is asked for with the page, before its style sheet has been read. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => file.endsWith('.woff2'))
          .map((file) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              href: `/${file}`,
              crossorigin: '',
            },
            injectTo: 'head-prepend' as const,
          })),
    },
  }
}

/** Address of the server that a development page talks to. */
const server = 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react(), tailwindcss(), contractForBrowsers(), preloadFont()],
  server: { proxy: { '/api': { target: server, ws: true }, '/log': server, '/uploads': server } },
  build: {
    target: 'es2023',
    // The content security policy allows no data: fonts, and small pictures are cached better as
    // files.
    assetsInlineLimit: 0,
    // The polyfill would be one more script before the first.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Contract modules only declare; one that no screen asks for stays out of the bundle.
      treeshake: {
        moduleSideEffects: [{ test: /[\\/]contract[\\/]src[\\/]/, sideEffects: false }],
      },
    },
  },
})
