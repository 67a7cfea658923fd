// The public log's checkpoint in Discord: once a day, whatever Discord does.

import { describe, expect, it } from 'vitest'
import { discordScene, snowflake } from '../../../test/discord-scene.ts'
import { jobsNamed } from '../../../test/jobs.ts'
import { useListeningServer } from '../../../test/listening-server.ts'
import { keepLog } from '../fairness/public-log.ts'

const channelId = snowflake()
const w = useListeningServer({ LOG_DISCORD_CHANNEL_ID: channelId })
const scene = () => discordScene(w.t, w.origin)
const posted = async () => (await scene().messages(channelId)).map(({ content }) => content)
const runJobs = async () => {
  for (const job of jobsNamed('discord-', 'outbox-')) {
    await job.run(w.t.deps).catch(() => undefined)
  }
}
const nextDay = () => {
  const { t } = w
  const now = t.clock.now().getTime()
  t.clock.advance((Math.floor(now / 86_400_000) + 1) * 86_400 - now / 1000 + 60)
}

describe('the daily checkpoint', () => {
  it('is posted once a day as it was served, from the first one on', async () => {
    const { t } = w
    const before = (await posted()).length
    nextDay()
    await runJobs()
    expect(await posted()).toHaveLength(before)
    await t.prize('Cap', { packTypeIds: [await t.packType('Gold')], stock: 3 })
    await keepLog(t.deps)
    const note = await (await fetch(`${w.origin}/log/checkpoint`)).text()
    await runJobs()
    await runJobs()
    const messages = await posted()
    expect(messages).toHaveLength(before + 1)
    expect(messages.at(-1)).toContain(`\`\`\`\n${note}\`\`\``)
    expect(messages.at(-1)).toContain(t.clock.now().toISOString().slice(0, 10))
    nextDay()
    await runJobs()
    await runJobs()
    expect(await posted()).toHaveLength(before + 2)
  })

  it('is tried again after a failure, and found when the answer got lost', async () => {
    const { t } = w
    nextDay()
    await keepLog(t.deps)
    const before = (await posted()).length
    await scene().fail(1, 500)
    await runJobs()
    expect(await posted()).toHaveLength(before)
    const [row] = await t.rows<{ problem: string }>('SELECT problem FROM outbox_messages')
    expect(row!.problem).toMatch(/Discord/)
    t.clock.advance(61)
    await runJobs()
    expect(await posted()).toHaveLength(before + 1)
    // As if the process had died between posting and saying so; the nonce is forgotten by then.
    await t.rows('UPDATE log_posts SET message_id = NULL')
    await t.rows(`UPDATE outbox_messages SET state = 'waiting'`)
    t.clock.advance(3_600)
    await runJobs()
    expect(await posted()).toHaveLength(before + 1)
    const [again] = await t.rows<{ message_id: string }>('SELECT message_id FROM log_posts')
    expect(again!.message_id).not.toBeNull()
  })

  it.each([
    [1, 'stand'],
    [20, 'stay away, so that it is short enough for Discord'],
  ])('carries its note, and %i cosignatures %s', async (count) => {
    const { t } = w
    nextDay()
    await keepLog(t.deps)
    const line = `— witness.example ${'A'.repeat(90)}\n`
    for (let at = 0; at < count; at += 1) {
      await t.rows(
        `INSERT INTO log_cosignatures (size, verifier_key, line)
         SELECT max(size), $1, $2 FROM log_checkpoints`,
        [`witness${at}`, line],
      )
    }
    const note = await t.value<string>('SELECT note FROM log_checkpoints ORDER BY size DESC')
    await runJobs()
    const said = (await posted()).at(-1)
    expect(said).toContain(`\`\`\`\n${note}${count === 1 ? line : ''}\`\`\``)
    expect(said?.length).toBeLessThan(2_000)
  })

  it('waits an hour where the bot may not post', async () => {
    const { t } = w
    nextDay()
    await keepLog(t.deps)
    const before = (await posted()).length
    await scene().control('channels', { channelId, missing: ['SEND_MESSAGES'] })
    await runJobs()
    await scene().control('channels', { channelId, missing: [] })
    for (const [seconds, count] of [
      [3_599, 0],
      [1, 1],
    ] as const) {
      t.clock.advance(seconds)
      await runJobs()
      expect(await posted()).toHaveLength(before + count)
    }
  })
})
