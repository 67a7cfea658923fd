// `npm run dev`: the server restarts and the page reloads when a source changes.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { install, root } from './install.mjs'

process.chdir(root)
install()
const { createServer } = await import('vite')

const pagePort = 5173
const serverPort = Number(process.env['PORT'] ?? 3000)
const serverUrl = `http://127.0.0.1:${serverPort}`
const proxied = ['/api', '/sandbox', '/uploads', '/health', '/metrics']

const page = await createServer({
  root: join(root, 'web'),
  server: {
    port: pagePort,
    strictPort: true,
    host: '127.0.0.1',
    proxy: Object.fromEntries(proxied.map((path) => [path, { target: serverUrl, ws: true }])),
  },
})
await page.listen()
// Sign-ins return to the page's address.
const server = spawn(
  process.execPath,
  [join(root, 'node_modules/tsx/dist/cli.mjs'), 'watch', 'server/src/main.ts'],
  {
    stdio: 'inherit',
    env: { PUBLIC_URL: `http://127.0.0.1:${pagePort}`, ...process.env, PORT: String(serverPort) },
  },
)
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => server.kill(signal))
}
server.once('exit', async (code) => {
  await page.close()
  process.exit(code ?? 0)
})
