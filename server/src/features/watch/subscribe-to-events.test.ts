// Subscriptions are as they should be: missing ones made, failed and useless ones ended.

import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'
import { addStream } from '../../../test/watch-scene.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { Subscription } from '../../adapters/twitch/twitch-api.ts'
import { TwitchFault } from '../../shared/far-side-faults.ts'
import { eventSecret, subscribeToEvents } from './live.ts'

const t = useTestDeps()
const callback = 'https://play.example.com/api/twitch/eventsub'
const at = (publicUrl: string): Deps => ({ ...t.deps, config: { ...t.deps.config, publicUrl } })
const subscription = (more: Partial<Subscription>): Subscription => {
  return { id: 'x', type: 'stream.online', channelId: '5', callback, isAlive: true, ...more }
}

function pretend(there: readonly Subscription[]) {
  const { events } = t.deps.twitch
  vi.spyOn(events, 'list').mockResolvedValue([...there])
  const create = vi.spyOn(events, 'create').mockResolvedValue()
  const remove = vi.spyOn(events, 'remove').mockResolvedValue()
  return {
    create,
    created: () => create.mock.calls.map(([{ type, channelId }]) => `${type} ${channelId}`),
    removed: () => remove.mock.calls.map(([id]) => id),
  }
}

beforeEach(async () => {
  vi.restoreAllMocks()
  for (const channel of ['5', '6', 'a-name']) {
    const id = await addStream(t.rows)
    await t.rows('UPDATE twitch_streams SET twitch_channel_id = $1 WHERE id = $2', [channel, id])
  }
})

describe('subscriptions', () => {
  it('are made for every channel with a number, and for the end of a grant', async () => {
    const twitch = pretend([])
    await subscribeToEvents(at('https://play.example.com'))
    expect(twitch.created()).toEqual([
      'user.authorization.revoke ',
      'stream.online 5',
      'stream.offline 5',
      'stream.online 6',
      'stream.offline 6',
    ])
    const [, address, secret] = twitch.create.mock.calls[0] ?? []
    expect([address, secret]).toEqual([callback, eventSecret(t.deps)])
    expect(secret).toMatch(/^[\x20-\x7e]{10,100}$/)
  })

  it('that have failed, or that nobody needs, are ended; those of others are left alone', async () => {
    await t.rows(`UPDATE twitch_streams SET archived_at = now() WHERE twitch_channel_id = '6'`)
    const twitch = pretend([
      subscription({ id: 'good' }),
      subscription({ id: 'twice' }),
      subscription({ id: 'failed', type: 'stream.offline', isAlive: false }),
      subscription({ id: 'useless', channelId: '6' }),
      subscription({ id: 'foreign', channelId: '9', callback: 'https://other.example/hook' }),
    ])
    await subscribeToEvents(at('https://play.example.com'))
    expect(twitch.removed()).toEqual(['twice', 'failed', 'useless'])
    expect(twitch.created()).toEqual(['user.authorization.revoke ', 'stream.offline 5'])
  })

  it.each(['http://127.0.0.1:3000', 'https://play.example.com:8443'])(
    'are not asked for at %s, where Twitch sends nothing',
    async (publicUrl) => {
      const twitch = pretend([])
      await subscribeToEvents(at(publicUrl))
      expect(twitch.created()).toEqual([])
    },
  )

  it('go on after one that is refused, and the run counts as failed', async () => {
    const twitch = pretend([])
    twitch.create.mockRejectedValueOnce(new TwitchFault('refused', 'no'))
    await expect(subscribeToEvents(at('https://play.example.com'))).rejects.toThrow('no')
    expect(twitch.created()).toHaveLength(5)
  })
})
