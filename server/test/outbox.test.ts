// Mails from two processes on one PostgreSQL, and through a hundred kills between writing, sending
// and the answer: nothing is lost, and twice comes only what the far side had taken unheard.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Deps } from '../src/adapters/deps.ts'
import { openMailer } from '../src/adapters/mail/mailer.ts'
import { changeBalance } from '../src/features/ledger/ledger-tables.ts'
import { outboxJobs } from '../src/features/outbox/jobs.ts'
import { createTestDeps, emptyDatabase, type TestDeps } from './deps.ts'
import { type SmtpServer, smtpServer } from './smtp-server.ts'
import { isPostgresReachable, postgresTestDatabase } from './test-database.ts'

const isReachable = await isPostgresReachable()

/** Where a process dies, or what it does not hear. */
const ends = ['collecting', 'deciding', 'before sending', 'after sending', 'unheard'] as const
type End = (typeof ends)[number]
const rounds = 100

describe.skipIf(!isReachable)('on PostgreSQL', () => {
  let t: TestDeps
  let server: SmtpServer
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await postgresTestDatabase(16)
    drop = database.drop
    server = await smtpServer()
    t = await createTestDeps(database.db, { SMTP_URL: server.url, MAIL_FROM: 'news@packs.example' })
  }, 60_000)
  beforeEach(async () => {
    await emptyDatabase(t.db)
    server.taken.length = 0
    server.fate = () => 'take'
  })
  afterAll(async () => {
    await t.app.close()
    await server.close()
    await drop()
  })

  async function subscriber(name: string): Promise<number> {
    const { id } = await t.person(name)
    await t.rows('INSERT INTO notification_settings (user_id, address) VALUES ($1, $2)', [
      id,
      `${name}@example.org`,
    ])
    return id
  }
  const grant = (userId: number, sourceId: string) =>
    t.db.transaction((tx) =>
      changeBalance(tx, {
        ...{ userId, amount: 1, type: 'admin_grant', description: '', sourceType: 'test' },
        ...{ sourceId, now: t.clock.now() },
      } as const),
    )
  const runJobs = async (deps: Deps) => {
    for (const job of outboxJobs) await job.run(deps)
  }
  const countTo = (name: string) =>
    server.taken.filter(({ to }) => to === `${name}@example.org`).length

  /** A process that ends there; what it had begun is never finished. */
  function dying(end: End): Deps {
    const mailer = openMailer(t.deps.config.mail, 1_000)
    const killed = () => Promise.reject(new Error('killed'))
    let transactions = 0
    const lasting = { collecting: 0, deciding: 1 }[end as string] ?? Number.POSITIVE_INFINITY
    return {
      ...t.deps,
      db: {
        ...t.db,
        kind: t.db.kind,
        run: t.db.run.bind(t.db),
        transaction: (work) => {
          transactions += 1
          return transactions > lasting ? killed() : t.db.transaction(work)
        },
      },
      mailer: {
        isSetUp: true,
        async send(mail) {
          if (end === 'before sending') return killed()
          await mailer.send(mail)
          if (end === 'after sending') return killed()
        },
      },
    }
  }

  it(`loses nothing through ${rounds} kills, and doubles only what was taken unheard`, async () => {
    const doubled: Record<string, number> = {}
    for (let round = 0; round < rounds; round += 1) {
      const end = ends[round % ends.length] ?? 'unheard'
      const name = `p${round}`
      await grant(await subscriber(name), name)
      server.fate = () => (end === 'unheard' ? 'take-and-close' : 'take')
      await expect(runJobs(dying(end))).rejects.toThrow()
      const before = countTo(name)
      server.fate = () => 'take'
      // The lease of who died, and the first wait of who heard nothing.
      t.clock.advance(121)
      await runJobs(t.deps)
      await runJobs(t.deps)
      const isUnheard = end === 'after sending' || end === 'unheard'
      expect([end, before, countTo(name)]).toEqual([end, isUnheard ? 1 : 0, isUnheard ? 2 : 1])
      if (isUnheard) doubled[end] = (doubled[end] ?? 0) + 1
    }
    expect(doubled).toEqual({ 'after sending': rounds / 5, unheard: rounds / 5 })
    const ids = server.taken.map(({ raw }) => /^Message-ID: (\S+)/im.exec(raw)?.[1])
    // The far side can tell a second try by its id.
    expect(new Set(ids).size).toBe(rounds)
    const states = await t.rows('SELECT DISTINCT state FROM outbox_messages')
    expect(states).toEqual([{ state: 'sent' }])
  }, 120_000)

  it('sends each once with eight runs of two processes at the same time', async () => {
    for (let person = 0; person < 10; person += 1) {
      const id = await subscriber(`q${person}`)
      for (let count = 0; count < 4; count += 1) await grant(id, `q${person}-${count}`)
    }
    await Promise.all(Array.from({ length: 8 }, () => runJobs({ ...t.deps })))
    await runJobs(t.deps)
    expect(server.taken).toHaveLength(40)
    for (let person = 0; person < 10; person += 1) expect(countTo(`q${person}`)).toBe(4)
  }, 60_000)

  it('counts an event whose transaction was open when its history was read', async () => {
    const [ana, ben] = [await subscriber('ana'), await subscriber('ben')]
    let commit: () => void = () => undefined
    const open = new Promise<void>((resolve) => {
      commit = resolve
    })
    const slow = t.db.transaction(async (tx) => {
      await changeBalance(tx, {
        ...{ userId: ana, amount: 1, type: 'admin_grant', description: '', sourceType: 'test' },
        ...{ sourceId: 'slow', now: t.clock.now() },
      } as const)
      await open
    })
    await grant(ben, 'quick')
    await runJobs(t.deps)
    commit()
    await slow
    await runJobs(t.deps)
    expect([countTo('ana'), countTo('ben')]).toEqual([1, 1])
  }, 30_000)

  it('goes on with others when one mailbox says no, and ends with who is not there', async () => {
    for (const name of ['a1', 'a2', 'a3']) await grant(await subscriber(name), name)
    server.fate = (to) => (to.startsWith('a2') ? { at: 'RCPT', reply: '451 later' } : 'take')
    await runJobs(t.deps)
    expect(['a1', 'a2', 'a3'].map(countTo)).toEqual([1, 0, 1])
    t.clock.advance(60)
    await runJobs(t.deps)
    expect(countTo('a2')).toBe(0)
    server.fate = () => 'take'
    t.clock.advance(120)
    await runJobs(t.deps)
    expect(['a1', 'a2', 'a3'].map(countTo)).toEqual([1, 1, 1])
  }, 30_000)
})
