// The stand-in of Discord judged by others: Discord's own published types of requests and answers,
// a client library, and, where it lies beside the repository, Discord's API description.

import { existsSync, readFileSync } from 'node:fs'
import { DiscordAPIError, REST } from '@discordjs/rest'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  type APIChannel,
  type APIDMChannel,
  type APIGuild,
  type APIGuildMember,
  type APIMessage,
  type APIUser,
  ButtonStyle,
  ComponentType,
  MessageFlags,
  MessageType,
  Routes,
} from 'discord-api-types/v10'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { discordScene, snowflake } from '../../../test/discord-scene.ts'
import { useListeningDeps } from '../../../test/listening-server.ts'
import { endWaits, shortenPatience } from '../../../test/short-patience.ts'
import { useStubService } from '../outbound/stub-service.fixture.ts'
import { discordCalls } from './calls.ts'

const stub = useStubService()
const { t, origin } = await useListeningDeps({ SEED_DEMO: 'off' })
let scene: ReturnType<typeof discordScene>
const rest = new REST({ version: '10', api: `${origin}/sandbox/discord/api`, retries: 0 })
beforeAll(() => {
  scene = discordScene(t, origin)
})
beforeEach(async () => {
  await scene.fail(0, 500)
  rest.setToken('sandbox-bot-token')
})

const [guildId, channelId] = [snowflake(), snowflake()]
const message = (more: object = {}) => ({
  body: {
    content: 'Hello',
    components: [
      {
        type: ComponentType.ActionRow,
        components: [
          { type: ComponentType.Button, style: ButtonStyle.Primary, label: 'Go', custom_id: 'go' },
        ],
      },
    ],
    allowed_mentions: { parse: [] },
    ...more,
  },
})
const post = (more?: object) =>
  rest.post(Routes.channelMessages(channelId), message(more)) as Promise<APIMessage>

/** The description stands outside the repository, which must pass its tests without it. */
const description = new URL('../../../../../shared/fidelity/discord.openapi.json', import.meta.url)

/** Judges an answer by the description; answers what is wrong with it. */
function judgeBy(file: URL): (method: string, path: string, answer: unknown) => unknown[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  addFormats.default(ajv)
  ajv.addFormat('snowflake', /^(0|[1-9]\d{0,19})$/)
  ajv.addFormat('nonce', /^.{0,25}$/)
  const document = JSON.parse(readFileSync(file, 'utf8')) as object
  ajv.addSchema(document, 'discord')
  return (method, path, answer) => {
    const place = path.replaceAll('~', '~0').replaceAll('/', '~1')
    const pointer = `paths/${place}/${method}/responses/200/content/application~1json/schema`
    const validate = ajv.compile({ $ref: `discord#/${encodeURI(pointer)}` })
    return validate(answer) ? [] : [...(validate.errors ?? [])].slice(0, 5)
  }
}

describe.skipIf(!existsSync(description))('against the API description of Discord', () => {
  it('every answer has the shape that Discord promises', async () => {
    const judge = judgeBy(description)
    const guild = await rest.get(Routes.guild(guildId))
    expect(judge('get', '/guilds/{guild_id}', guild)).toEqual([])
    const channel = await rest.get(Routes.channel(channelId))
    expect(judge('get', '/channels/{channel_id}', channel)).toEqual([])
    const me = (await rest.get(Routes.user())) as APIUser
    expect(judge('get', '/users/@me', me)).toEqual([])
    const member = await rest.get(Routes.guildMember(guildId, me.id))
    expect(judge('get', '/guilds/{guild_id}/members/{user_id}', member)).toEqual([])
    const messages = '/channels/{channel_id}/messages'
    const posted = await post({ nonce: 'nonce-0', enforce_nonce: true })
    expect(judge('post', messages, posted)).toEqual([])
    const list = await rest.get(Routes.channelMessages(channelId))
    expect(judge('get', messages, list)).toEqual([])
    const edited = await rest.patch(Routes.channelMessage(channelId, posted.id), message())
    expect(judge('patch', `${messages}/{message_id}`, edited)).toEqual([])
  })

  it('an answer with a fault is caught', async () => {
    const judge = judgeBy(description)
    const posted = await post()
    expect(judge('post', '/channels/{channel_id}/messages', { ...posted, author: 5 })).not.toEqual(
      [],
    )
  })
})

describe('with the types of Discord and its client library', () => {
  it('a server, a channel and the bot are what the library expects', async () => {
    const guild = (await rest.get(Routes.guild(guildId))) as APIGuild
    expect(guild.roles).toMatchObject([
      { id: guildId, permissions: expect.stringMatching(/^\d+$/) },
    ])
    const channel = (await rest.get(Routes.channel(channelId))) as APIChannel
    expect(channel).toMatchObject({ id: channelId, type: 0, guild_id: guildId })
    const me = (await rest.get(Routes.user())) as APIUser
    const member = (await rest.get(Routes.guildMember(guildId, me.id))) as APIGuildMember
    expect([me.bot, member.user.id]).toEqual([true, me.id])
  })

  it('a message comes back as posted, listed the newest first, and can be edited', async () => {
    const first = await post()
    const second = await post({ content: 'Later' })
    expect(first).toMatchObject({
      type: MessageType.Default,
      content: 'Hello',
      edited_timestamp: null,
    })
    const list = (await rest.get(Routes.channelMessages(channelId), {
      query: new URLSearchParams({ limit: '2' }),
    })) as APIMessage[]
    expect(list.map(({ id }) => id)).toEqual([second.id, first.id])
    expect(BigInt(second.id)).toBeGreaterThan(BigInt(first.id))
    const edited = (await rest.patch(Routes.channelMessage(channelId, first.id), {
      body: { content: 'Over' },
    })) as APIMessage
    expect(edited.content).toBe('Over')
    expect(edited.edited_timestamp).not.toBeNull()
  })

  it('a nonce that is enforced answers the message that is there, for a few minutes', async () => {
    const nonce = { nonce: 'nonce-1', enforce_nonce: true }
    const first = await post(nonce)
    expect((await post(nonce)).id).toBe(first.id)
    expect((await post({ nonce: 'nonce-1' })).id).not.toBe(first.id)
    t.clock.advance(600)
    expect((await post(nonce)).id).not.toBe(first.id)
  })

  it.each([
    ['a wrong token', 401, 0, {}],
    ['a text that is too long', 400, 50_035, { content: 'x'.repeat(2_001) }],
    ['a nonce that is too long', 400, 50_035, { nonce: 'n'.repeat(26), enforce_nonce: true }],
    ['an empty message', 400, 50_006, { content: '', components: [] }],
  ])('%s is refused', async (what, status, code, more) => {
    if (what === 'a wrong token') rest.setToken('another')
    const error = await post(more).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(DiscordAPIError)
    expect(error).toMatchObject({ status, code })
  })

  it('what does not exist is not found', async () => {
    const gone = rest.patch(Routes.channelMessage(channelId, snowflake()), { body: {} })
    await expect(gone).rejects.toMatchObject({ status: 404, code: 10_008 })
    await scene.control('channels', { channelId: '99', exists: false })
    await expect(rest.get(Routes.channel('99'))).rejects.toMatchObject({
      status: 404,
      code: 10_003,
    })
    const late = rest.patch(Routes.webhookMessage('sandbox-discord', 'no-token'), { auth: false })
    await expect(late).rejects.toMatchObject({ status: 404, code: 10_015 })
  })
})

describe('the bot', () => {
  it('gives up on an answer that does not come, and calls it unreachable', async () => {
    await scene.fail(1, 0)
    const onWait = vi.fn()
    endWaits(5_000, onWait)
    const call = t.deps.discord.findPost(channelId, 'go')
    await expect(call).rejects.toMatchObject({ kind: 'unreachable' })
    expect(onWait).toHaveBeenCalled()
  })

  it('gives up on an answer that begins and does not end', async () => {
    shortenPatience()
    for (const status of [200, 403]) {
      stub.routes['/api/v10/channels/1/messages'] = (_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).write('{')
      }
      const settings = { apiUrl: `${stub.origin}/api/v10`, botToken: 'token' }
      const call = discordCalls(settings, '').post('/channels/1/messages', {})
      await expect(call).rejects.toMatchObject({ kind: 'unreachable' })
    }
  })

  it.each([
    ['no time', {}],
    ['a date', { 'retry-after': 'Wed, 21 Oct 2035 07:28:00 GMT' }],
    ['an hour', { 'retry-after': '3600' }],
    ['no time, by a limit', { 'x-ratelimit-limit': '5', 'x-ratelimit-bucket': 'edits' }],
  ])('asks once where it is told to wait for %s', async (_what, headers) => {
    let calls = 0
    stub.routes['/api/v10/channels/2/messages'] = (_request, response) => {
      calls += 1
      // In front of Discord stands a service that shuts callers out in words of its own.
      response.writeHead(429, { 'content-type': 'text/html', ...headers }).end('<h1>1015</h1>')
    }
    const settings = { apiUrl: `${stub.origin}/api/v10`, botToken: 'token' }
    const call = discordCalls(settings, '').post('/channels/2/messages', {})
    await expect(call).rejects.toMatchObject({ kind: 'unreachable' })
    expect(calls).toBe(1)
  })

  it.each([
    [403, { code: 40_003, message: 'You are opening direct messages too fast' }],
    [403, { code: 40_333, message: 'internal network error' }],
    [403, '<h1>Access denied</h1>'],
    [404, '<h1>Not found</h1>'],
    [401, '<h1>Proxy authentication required</h1>'],
  ])(
    'takes a %s that says nothing of the place for a while without Discord: %j',
    async (status, body) => {
      stub.routes['/api/v10/channels/3/messages'] = (_request, response) => {
        const type = typeof body === 'string' ? 'text/html' : 'application/json'
        response.writeHead(status, { 'content-type': type })
        response.end(typeof body === 'string' ? body : JSON.stringify(body))
      }
      const settings = { apiUrl: `${stub.origin}/api/v10`, botToken: 'token' }
      const call = discordCalls(settings, '').post('/channels/3/messages', {})
      await expect(call).rejects.toMatchObject({ kind: 'unreachable' })
    },
  )

  it('never shows its token or what it has sent in an error', async () => {
    await scene.fail(1, 401)
    const error: unknown = await t.deps.discord
      .post(channelId, { content: 'secret text', label: 'Go', buttonId: 'go' }, 'nonce-2')
      .catch((cause: unknown) => cause)
    const shown = `${JSON.stringify(error)} ${String(error)} ${String((error as Error).cause)}`
    expect(shown).not.toMatch(/sandbox-bot-token|secret text/)
  })

  it('writes to one person at the same place, once for a nonce, and hears who takes nothing', async () => {
    const [ana, ben] = [snowflake(), snowflake()]
    const place = async (id: string) =>
      ((await rest.post(Routes.userChannels(), { body: { recipient_id: id } })) as APIDMChannel).id
    const textsTo = async (id: string) => {
      const list = (await rest.get(Routes.channelMessages(await place(id)))) as APIMessage[]
      return list.map(({ content }) => content)
    }
    for (const text of ['Hello', 'Hello', 'Later']) {
      await t.deps.discord.tell(ana, text, `outbox-${text}`)
    }
    expect(await textsTo(ana)).toEqual(['Later', 'Hello'])
    expect(await textsTo(ben)).toEqual([])
    await scene.fail(1, 403, { code: 50_007 })
    const refused = t.deps.discord.tell(ben, 'Hello', 'outbox-3')
    await expect(refused).rejects.toMatchObject({ kind: 'forbidden', code: 50_007 })
    const nobody = t.deps.discord.tell('nobody', 'Hello', 'outbox-4')
    await expect(nobody).rejects.toMatchObject({ kind: 'refused', code: 50_033 })
  })

  it('mentions nobody, whatever a text says', async () => {
    const id = await t.deps.discord.post(
      channelId,
      { content: '@everyone', label: 'Go', buttonId: 'go' },
      'nonce-3',
    )
    expect(id).toMatch(/^\d+$/)
    const answer = t.deps.discord.privateAnswer({ content: '@everyone' })
    expect(answer).toMatchObject({
      allowed_mentions: { parse: [] },
      flags: MessageFlags.Ephemeral,
    })
  })
})
