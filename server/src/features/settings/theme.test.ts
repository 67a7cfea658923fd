import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { themeDefault } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { told, useTestDeps } from '../../../test/deps.ts'
import { buildApp } from '../../app.ts'

const deps = useTestDeps()
const publicPath = '/api/settings/theme'
const adminPath = '/api/admin/settings/theme'

beforeEach(() => deps.deps.events.publish({ type: 'theme_changed' }))

const visit = () => deps.visitor.get(publicPath)
const theme = {
  primaryColor: '#111',
  secondaryColor: '#222222',
  accentColor: '#33333380',
  backgroundPrimary: '#444444',
  backgroundSecondary: '#555555',
  textPrimary: '#AbCdEf',
  textSecondary: '#777777',
  borderColor: '#888888',
}

describe('GET /api/settings/theme', () => {
  it('answers visitors the eight defaults while none is saved', async () => {
    const answer = await visit()
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      primaryColor: '#ff6b6b',
      secondaryColor: '#4ecdc4',
      accentColor: '#ffd93d',
      backgroundPrimary: '#1a1a2e',
      backgroundSecondary: '#16213e',
      textPrimary: '#ffffff',
      textSecondary: '#a0a0a0',
      borderColor: '#374151',
    })
  })

  it('is not sent again to a browser that has it', async () => {
    const etag = String((await visit()).headers.etag)
    expect((await deps.visitor.get(publicPath, { 'if-none-match': etag })).statusCode).toBe(304)
  })
})

describe('POST /api/admin/settings/theme', () => {
  it('saves eight colours that everyone then reads, and tells every open page', async () => {
    const admin = await deps.person('admin', { role: 'admin' })
    await visit()
    const heard: unknown[] = []
    const stop = deps.deps.events.subscribe((event) => heard.push(event))
    const answer = await admin.send('POST', adminPath, { ...theme, extra: 1 })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual(theme)
    expect((await visit()).json()).toEqual(theme)
    expect(await admin.read(adminPath)).toEqual(theme)
    const refused = await admin.send('POST', adminPath, { ...theme, accentColor: 'red' })
    stop()
    expect(refused.statusCode).toBe(400)
    expect(heard).toEqual([{ type: 'theme_changed' }])
  })

  it.each([
    ['primaryColor', 'Primary color is required'],
    ['secondaryColor', 'Secondary color is required'],
    ['accentColor', 'Accent color is required'],
    ['backgroundPrimary', 'Background primary color is required'],
    ['backgroundSecondary', 'Background secondary color is required'],
    ['textPrimary', 'Text primary color is required'],
    ['textSecondary', 'Text secondary color is required'],
    ['borderColor', 'Border color is required'],
  ])('refuses a theme without %s', async (field, message) => {
    const admin = await deps.person('admin', { role: 'admin' })
    for (const value of [undefined, '', '  ', null]) {
      const answer = await admin.send('POST', adminPath, { ...theme, [field]: value })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ message, errors: [{ path: field, message }] })
    }
    expect((await visit()).json()).toEqual(themeDefault)
  })

  it('refuses what is no hex colour, since it ends up in CSS', async () => {
    const admin = await deps.person('admin', { role: 'admin' })
    for (const value of ['red', '#12', '#abcd', '#1234567', 'url(x)', '#fff;}body{display:none']) {
      expect(await told(admin.send('POST', adminPath, { ...theme, accentColor: value }))).toBe(
        '400 Accent color must be a hex color',
      )
    }
  })

  it('leaves a row that says who changed it from what to what', async () => {
    const admin = await deps.person('admin', { role: 'super_user' })
    await admin.send('POST', adminPath, theme)
    await admin.send('POST', adminPath, { ...theme, accentColor: '#000' })
    const rows = await deps.rows(
      'SELECT actor_id, action, target_type, target_id, before, after, request_id FROM audit_log ORDER BY id',
    )
    expect(rows).toEqual([
      {
        actor_id: admin.id,
        action: 'theme_saved',
        target_type: 'setting',
        target_id: 'theme',
        before: null,
        after: theme,
        request_id: expect.any(String),
      },
      expect.objectContaining({ before: theme, after: { ...theme, accentColor: '#000' } }),
    ])
  })
})

it('reaches the page itself within a second of a save that nobody was told of', async () => {
  const siteFolder = mkdtempSync(join(tmpdir(), 'redpack-site-'))
  writeFileSync(join(siteFolder, 'index.html'), '<meta name="palette" content="" />')
  const app = await buildApp(deps.deps, { siteFolder })
  const page = async () => (await app.inject('/')).body
  expect(await page()).toContain('content="{}"')
  const boss = await deps.person('boss', { role: 'super_user' })
  await boss.send('POST', adminPath, theme)
  const saved = await page()
  expect(saved).toContain('#555555')
  await deps.rows(
    `UPDATE app_settings SET value = value || '{"backgroundSecondary": "#123456"}'
     WHERE key = 'theme'`,
  )
  deps.clock.advance(2)
  expect(await page()).toContain('#123456')
  await app.close()
  rmSync(siteFolder, { recursive: true })
})
