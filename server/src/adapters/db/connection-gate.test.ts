// Who gets a connection, who waits, and who is refused.

import { describe, expect, it } from 'vitest'
import { ConnectionGate } from './postgres-connection.ts'
import { DatabaseUnavailable } from './retry.ts'

const limits = { connectionsMax: 4, writesMax: 3, waitersMax: 2, waitMillisMax: 50 }

describe('the gate before the pool', () => {
  it('keeps a connection for reads while writes hold all of theirs', async () => {
    const gate = new ConnectionGate(limits)
    for (let count = 0; count < 3; count += 1) await gate.enter('write')
    await expect(gate.enter('write')).rejects.toThrow('no free connection for 50 ms')
    const leave = await gate.enter('read')
    await expect(gate.enter('read')).rejects.toThrow(DatabaseUnavailable)
    leave()
    await gate.enter('read')
  })

  it('lets in who has waited longest, and a read past writes that have no room', async () => {
    const gate = new ConnectionGate(limits)
    const leaves = []
    for (let count = 0; count < 3; count += 1) leaves.push(await gate.enter('write'))
    const leaveRead = await gate.enter('read')
    const order: string[] = []
    const write = gate.enter('write').then(() => order.push('write'))
    const read = gate.enter('read').then(() => order.push('read'))
    leaveRead()
    await read
    expect(order).toEqual(['read'])
    leaves[0]!()
    await write
    expect(order).toEqual(['read', 'write'])
    expect(gate.waiting).toBe(0)
  })

  it('refuses at once when too many wait, and all of a lane when told to', async () => {
    const gate = new ConnectionGate({ ...limits, waitMillisMax: 60_000 })
    const leaves = []
    for (let count = 0; count < 3; count += 1) leaves.push(await gate.enter('write'))
    leaves.push(await gate.enter('read'))
    const outcomes = ['write', 'read'].map((lane) =>
      gate.enter(lane as 'read').then(
        () => 'in',
        (error: Error) => error.message,
      ),
    )
    await expect(gate.enter('read')).rejects.toThrow('waited for by 2 others')
    gate.refuseWaiting(new DatabaseUnavailable('is away'), 'write')
    expect(await outcomes[0]).toBe('The database is away')
    leaves[3]!()
    expect(await outcomes[1]).toBe('in')
  })
})
