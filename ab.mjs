import { chromium } from 'playwright'
import { existsSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import sharp from 'sharp'
const base = 'http://localhost:5310', old = '/tmp/w3-dist-old'
const only = process.argv[2]
mkdirSync('/tmp/w3shots/ab', { recursive: true })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] })
const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', woff2: 'font/woff2', png: 'image/png', json: 'application/json' }
const steps = {
  dashboard: '/dashboard', inventory: '/inventory', store: '/store', prizes: '/my-prizes', history: '/history', leaderboard: '/leaderboard', fairness: '/fairness', profile: '/profile', streams: '/twitch-streams',
  notices: ['/dashboard', (p) => p.getByRole('button', { name: /notices/i }).first().click()],
  sheet: ['/dashboard', async (p) => { const b = p.getByRole('button', { name: /menu/i }).first(); if (await b.isVisible()) await b.click() }],
  masked: ['/profile', async (p) => { await p.getByRole('switch', { name: 'Hide private details' }).click(); await p.evaluate(() => scrollTo(0, 0)) }, '/profile'],
  odds: ['/inventory?odds=1'],
  ...Object.fromEntries('overview,prizes,pack-types,distribute,store,claims,users,settings,twitch-streams,discord-bot,bot-credentials,messages,jobs,server,audit,security,economy'.split(',').map((t) => [`a-${t}`, `/admin?tab=${t}`])),
  'a-removal': '/admin?tab=distribute&view=removal', 'a-bulk': '/admin?tab=distribute&view=bulk', 'a-shipping': '/admin?tab=claims&view=shipping', 'a-redcoin': '/admin?tab=distribute&view=redcoin',
  'a-prize-new': '/admin?tab=prizes&prize=new', 'a-stream-new': '/admin?tab=streams&stream=new', 'a-pack-new': '/admin?tab=pack-types&packType=1', 'a-listing': '/admin?tab=store&listing=1', 'a-grid': '/admin?tab=store&look=grid', 'a-person': '/admin?tab=users&user=3', 'a-stock': '/admin?tab=prizes&stock=1', 'a-twitch': '/admin?tab=bots&bot=twitch',
}
for (const [width, height] of [[390, 844], [1280, 900]]) {
  const make = async (isOld) => {
    const c = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce', serviceWorkers: 'block' })
    const r = await c.request.post(base + '/api/auth/local', { headers: { origin: base }, data: { username: 'keeper', password: 'a-long-password-1' } })
    if (!r.ok()) console.log('login', r.status(), await r.text())
    if (isOld) await c.route((u) => !u.pathname.startsWith('/api') && !u.pathname.startsWith('/uploads') && u.port === '5310', async (route) => {
      const { pathname } = new URL(route.request().url()); const f = old + pathname
      const file = pathname !== '/' && existsSync(f) && pathname.includes('.') ? f : old + '/index.html'
      await route.fulfill({ body: readFileSync(file), contentType: types[file.split('.').pop()] ?? 'application/octet-stream' })
    })
    const page = await c.newPage(); page.on('pageerror', (e) => console.log('ERR', isOld, e.message)); return page
  }
  const pages = [await make(true), await make(false)]
  for (const [name, step] of Object.entries(steps)) {
    if (only && !new RegExp(only).test(name)) continue
    const [path, act, again] = [step].flat()
    const one = async (page, tag) => {
      try {
        await page.goto(base + path, { waitUntil: 'load' }); await page.waitForTimeout(1800)
        if (act) { await act(page); await page.waitForTimeout(700) }
        await page.mouse.move(0, 0)
        await page.evaluate(() => { for (const a of document.getAnimations()) try { a.finish() } catch {} })
        const f = `/tmp/w3shots/ab/${width}-${name}-${tag}.png`; await page.screenshot({ path: f, fullPage: true }); if (again && tag === 'new') {} return f
      } catch (e) { console.log(name, tag, String(e).slice(0, 120)); return undefined }
    }
    const [x, y] = await Promise.all([one(pages[0], 'old'), one(pages[1], 'new')])
    if (!x || !y) continue
    const [p, q] = [await sharp(x).removeAlpha().raw().toBuffer({ resolveWithObject: true }), await sharp(y).removeAlpha().raw().toBuffer({ resolveWithObject: true })]
    if (p.info.height !== q.info.height) { console.log(width, name, 'height', p.info.height, q.info.height); continue }
    let n = 0, box = [1e9, 1e9, 0, 0]; const w = p.info.width
    for (let i = 0; i < p.data.length; i += 3) if (Math.abs(p.data[i] - q.data[i]) > 8 || Math.abs(p.data[i + 1] - q.data[i + 1]) > 8 || Math.abs(p.data[i + 2] - q.data[i + 2]) > 8) { n++; const X = (i / 3) % w, Y = (i / 3 / w) | 0; box = [Math.min(box[0], X), Math.min(box[1], Y), Math.max(box[2], X), Math.max(box[3], Y)] }
    if (n) console.log(width, name, n, JSON.stringify(box)); else console.log(width, name, 'same')
  }
}
await browser.close()
