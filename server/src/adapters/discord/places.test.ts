// What a bot may do in a channel: Discord's order of roles and overwrites, one example each.

import { expect, it } from 'vitest'
import { missingPermissions, type PermissionFacts } from './places.ts'

const view = 1n << 10n
const send = 1n << 11n
const history = 1n << 16n
const all = view | send | history
const facts = (change: Partial<PermissionFacts> = {}): PermissionFacts => ({
  serverId: 'server',
  ownerId: 'owner',
  roles: [{ id: 'server', permissions: String(all) }],
  botId: 'bot',
  botRoleIds: ['role', 'other'],
  overwrites: [],
  ...change,
})
const overwrite = (id: string, allow: bigint, deny: bigint) => ({
  id,
  allow: String(allow),
  deny: String(deny),
})

it.each<[string, Partial<PermissionFacts>, string[]]>([
  ['everyone may', {}, []],
  [
    'nobody may',
    { roles: [{ id: 'server', permissions: '0' }] },
    ['View Channel', 'Send Messages', 'Read Message History'],
  ],
  [
    'a role of the bot adds',
    {
      roles: [
        { id: 'server', permissions: String(view) },
        { id: 'role', permissions: String(send) },
        { id: 'of somebody else', permissions: String(history) },
      ],
    },
    ['Read Message History'],
  ],
  [
    'the channel denies everyone',
    { overwrites: [overwrite('server', 0n, send)] },
    ['Send Messages'],
  ],
  [
    'a role is allowed what everyone is denied',
    { overwrites: [overwrite('server', 0n, all), overwrite('role', view | send, 0n)] },
    ['Read Message History'],
  ],
  [
    'one role is denied what another is allowed, and the allowance wins',
    { overwrites: [overwrite('role', 0n, send), overwrite('other', send, 0n)] },
    [],
  ],
  [
    'the bot itself is denied what its role is allowed',
    { overwrites: [overwrite('bot', 0n, view), overwrite('role', view, 0n)] },
    ['View Channel'],
  ],
  [
    'an administrator may everything',
    { roles: [{ id: 'role', permissions: '8' }], overwrites: [overwrite('server', 0n, all)] },
    [],
  ],
  ['the owner may everything', { ownerId: 'bot', roles: [] }, []],
])('%s', (_case, change, missing) => {
  expect(missingPermissions(facts(change))).toEqual(missing)
})
