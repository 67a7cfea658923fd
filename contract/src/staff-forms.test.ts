// The forms that staff requests on streams, bots, claims and users may take.

import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import * as contract from './index.ts'

function domainError(
  schema: z.ZodMiniType,
  value: unknown,
): [path: string, message: string] | null {
  const issue = schema.safeParse(value).error?.issues[0]
  return issue === undefined ? null : [issue.path.join('.'), issue.message]
}

describe('a stream', () => {
  const fiveFields = {
    displayName: 'Ana',
    channelName: 'ana',
    twitchChannelId: '7',
    watchTimeRequired: 120,
    completionMessage: 'Well done',
  }
  const create = (fields: object) =>
    z.parse(contract.CreateStreamRequest, { ...fiveFields, ...fields })
  const said = (fields: object) =>
    domainError(contract.CreateStreamRequest, { ...fiveFields, ...fields })?.[1]

  it('needs its names, its channel id and its message', () => {
    expect(said({ displayName: ' ' })).toBe('Display name is required')
    expect(said({ channelName: '' })).toBe('Channel name is required')
    expect(said({ twitchChannelId: '' })).toBe('Twitch channel ID is required')
    expect(said({ completionMessage: '' })).toBe('Completion message is required')
    expect(said({ channelName: undefined, twitchChannelId: '' })).toBe('Channel name is required')
  })

  it('needs at least one minute of watching', () => {
    expect(said({ watchTimeRequired: 0 })).toBe('Watch time must be at least 1 minute')
    expect(said({ watchTimeRequired: 1 })).toBeUndefined()
    expect(said({ watchTimeRequiredSeconds: 59 })).toBe('Watch time must be at least 1 minute')
  })

  it('counts minutes as seconds, and given seconds win', () => {
    expect(create({}).watchSecondsRequired).toBe(7200)
    expect(create({ watchTimeRequiredSeconds: 90 }).watchSecondsRequired).toBe(90)
    expect(create({ watchTimeRequired: undefined }).watchSecondsRequired).toBeUndefined()
  })

  it('takes either name of the channel and either list of rewards', () => {
    expect(create({ channelName: undefined, twitchChannelName: 'bo' }).channelName).toBe('bo')
    const rewards = [{ packTypeId: '1', packQuantity: 2 }]
    expect(create({ rewards }).rewards).toEqual([
      { packTypeId: 1, packQuantity: 2, redCoinAmount: 0 },
    ])
    const packRewards = [{ packTypeId: 3, quantity: '4', redCoinAmount: 5 }]
    expect(create({ rewards, packRewards }).rewards).toEqual([
      { packTypeId: 3, packQuantity: 4, redCoinAmount: 5 },
    ])
    expect(create({ rewards, packRewards: [] }).rewards).toEqual([])
    expect(create({}).rewards).toBeUndefined()
  })

  it('refuses a reward of no packs and a negative amount', () => {
    expect(said({ packRewards: [{ packTypeId: 1, quantity: 0 }] })).toBe(
      'Pack quantity must be at least 1',
    )
    expect(said({ rewardRedCoinAmount: -1 })).toBe('RedCoin amount must be 0 or greater')
  })

  it('takes a time with or without a zone, and a blank as none', () => {
    for (const time of ['2026-11-21T10:00', '2026-11-21T10:00:00.000Z', '2026-11-21T10:00-05:00']) {
      expect(create({ scheduledStartTime: time }).scheduledStartTime).toBe(time)
    }
    expect(create({ scheduledEndTime: '' }).scheduledEndTime).toBeNull()
    for (const time of ['tomorrow', '2026-13-01T10:00', '2026-11-21', '2026-11-21T25:00']) {
      expect(said({ scheduledStartTime: time })).toBe('Scheduled start is not a valid time')
    }
  })

  it('can be changed in part, without its live flag', () => {
    expect(z.parse(contract.UpdateStreamRequest, { isActive: false, isLive: true })).toEqual({
      isActive: false,
    })
    expect(domainError(contract.UpdateStreamRequest, { channelName: '' })?.[1]).toBe(
      'Channel name is required',
    )
    expect(z.parse(contract.ToggleStreamRequest, {})).toEqual({})
  })
})

describe('the bots', () => {
  it('need every field of a Discord server', () => {
    const server = { serverName: 'S', serverId: '1', channelId: '2', channelName: 'c' }
    const labels = {
      serverName: 'Server name',
      serverId: 'Server ID',
      channelId: 'Channel ID',
      channelName: 'Channel name',
    }
    for (const [field, label] of Object.entries(labels)) {
      for (const value of ['', ' ', undefined]) {
        expect(
          domainError(contract.AddDiscordServerRequest, { ...server, [field]: value }),
        ).toEqual([field, `${label} is required`])
      }
    }
    expect(domainError(contract.TestClaimRequest, { channelId: ' ' })?.[1]).toBe(
      'Channel ID is required',
    )
  })

  it('need everything of the Twitch credentials but the refresh token', () => {
    const credentials = { botUsername: 'b', botUserId: '1', clientId: 'c', accessToken: 't' }
    expect(domainError(contract.SaveBotCredentialsRequest, credentials)).toBeNull()
    for (const field of Object.keys(credentials)) {
      expect(
        domainError(contract.SaveBotCredentialsRequest, { ...credentials, [field]: '' })?.[1],
      ).toMatch(/ is required$/)
    }
  })

  it('post at hours from 0 to 24', () => {
    expect(z.parse(contract.SaveBotSettingsRequest, { postSchedule: [0, '24'] })).toEqual({
      postSchedule: [0, 24],
    })
    for (const postSchedule of [[25], [-1], [1.5], 'x', null]) {
      expect(domainError(contract.SaveBotSettingsRequest, { postSchedule })?.[1]).toBe(
        'Post schedule must be a list of hours from 0 to 24',
      )
    }
  })
})

describe('claims', () => {
  it('are listed whole without a key of theirs, and by page with any of them', () => {
    const query = (value: object) => z.parse(contract.AdminClaimsQuery, value)
    expect(query({})).toEqual({ isPaged: false })
    expect(query({ _: '1', sort: 'status' })).toEqual({ isPaged: false })
    expect(query({ contact: 'without' })).toEqual({ isPaged: false })
    const own = { status: 'all', sort: '-createdAt', contact: 'with' }
    const defaults = { isPaged: true, search: '', ...own, page: 1, limit: 50 }
    expect(query({ page: '1' })).toEqual(defaults)
    expect(query({ status: '' })).toEqual(defaults)
    expect(query({ search: '' })).toEqual(defaults)
    expect(query({ limit: '201', status: 'lost', page: '-1' })).toEqual(defaults)
    expect(query({ search: ' ana ', status: 'pending', page: '2', limit: '200' })).toEqual({
      isPaged: true,
      search: 'ana',
      status: 'pending',
      sort: '-createdAt',
      contact: 'with',
      page: 2,
      limit: 200,
    })
    expect(query({ page: 1, contact: 'without' })).toEqual({ ...defaults, contact: 'without' })
    expect(query({ page: 1, sort: 'status' })).toEqual({ ...defaults, sort: 'status' })
    expect(query({ page: 1, sort: 'mood' })).toEqual(defaults)
  })

  it('change by a known status, by contact details, or by both', () => {
    expect(domainError(contract.UpdateClaimRequest, {})?.[1]).toBe(
      'Status or contact info is required',
    )
    expect(domainError(contract.UpdateClaimRequest, { status: 'lost' })).toEqual([
      'status',
      'Invalid status',
    ])
    expect(z.parse(contract.UpdateClaimRequest, { contactInfo: { city: 'Bonn' } })).toEqual({
      contactInfo: { city: 'Bonn' },
    })
    expect(domainError(contract.UpdateClaimRequest, { contactInfo: { city: 'a\0' } })?.[0]).toBe(
      'contactInfo',
    )
    expect(domainError(contract.UpdateClaimRequest, { contactInfo: 5 })?.[1]).toBe(
      'Contact info must be an object or a text',
    )
  })
})

describe('users', () => {
  it('are listed whole without the four keys, and by page with any of them', () => {
    expect(z.parse(contract.AdminUsersQuery, { t: '1' })).toEqual({ isPaged: false })
    expect(z.parse(contract.AdminUsersQuery, { sort: '-redCoinBalance' })).toEqual({
      isPaged: true,
      search: '',
      sort: '-redCoinBalance',
      only: 'all',
      page: 1,
      limit: 50,
    })
  })

  it('have one of three roles', () => {
    for (const role of ['user', 'admin', 'super_user']) {
      expect(domainError(contract.ChangeRoleRequest, { role })).toBeNull()
    }
    for (const role of ['owner', '', null, undefined, ['admin']]) {
      expect(domainError(contract.ChangeRoleRequest, { role })).toEqual(['role', 'Invalid role'])
    }
  })
})
