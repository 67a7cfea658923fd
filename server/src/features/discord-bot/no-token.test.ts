// The Discord calls of a product that was given no bot token, and the jobs that then rest.

import { expect, it } from 'vitest'
import { told, useTestDeps } from '../../../test/deps.ts'
import { snowflake } from '../../../test/discord-scene.ts'
import { jobsNamed } from '../../../test/jobs.ts'

const t = useTestDeps({ SANDBOX: 'off', RATE_LIMITS: 'on' })

it('keeps the whitelist unchecked and says so, and answers 503 to a test claim', async () => {
  const boss = await t.person('boss', { role: 'admin' })
  const [serverId, channelId] = [snowflake(), snowflake()]
  const server = { serverName: 'S', serverId, channelId, channelName: 'c' }
  const added = await boss.send('POST', '/api/admin/discord/servers', server)
  expect(added.json()).toMatchObject({
    ...server,
    isChecked: false,
    problem: 'Not checked: the bot has no token.',
  })
  const settings = await boss.get('/api/admin/discord/bot-settings')
  expect(settings.json()).toMatchObject({ hasToken: false, nextPostAt: null })
  expect(await told(boss.send('POST', '/api/admin/discord/test-claim', { channelId }))).toBe(
    '503 The Discord bot has no token (DISCORD_BOT_TOKEN)',
  )
  // Past every hour at which posts are due.
  t.clock.advance(24 * 3_600)
  for (const job of jobsNamed('discord-', 'outbox-')) await job.run(t.deps)
  expect(await t.rows('SELECT id FROM discord_messages')).toEqual([])
})

it('believes no interaction without a public key', async () => {
  const answer = await t.app.inject({
    method: 'POST',
    url: '/api/discord/interactions',
    headers: { 'content-type': 'application/json' },
    payload: { type: 1 },
  })
  expect(answer.statusCode).toBe(401)
})
