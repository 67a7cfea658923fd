// Faults of a line or two that the simulation has to find, each planted in a copy of the sources.

export interface PlantedFault {
  readonly name: string
  readonly file: string
  /** What is replaced by what; each stands there once. */
  readonly changes: readonly (readonly [from: string, to: string])[]
  /** A seed that finds it. */
  readonly seed: number
}

export const plantedFaults: readonly PlantedFault[] = [
  {
    name: 'a purchase forgets stock',
    file: 'server/src/features/packs/purchase-packs.ts',
    changes: [['  await takeStock(tx, listing, quantity, purchaseId, now)\n', '']],
    seed: 1,
  },
  {
    name: 'an opening pays twice when its answer is lost',
    file: 'server/src/features/packs/opening-routes.ts',
    changes: [
      ['{ ...body, idempotencyKey }', '{ ...body, idempotencyKey: idempotencyKey && undefined }'],
    ],
    seed: 1,
  },
  {
    name: 'a claim is approved twice',
    file: 'server/src/rules/claim-steps.ts',
    changes: [
      ["if (from === 'completed') {", "if (from === 'completed' && to !== 'completed') {"],
      ['return from === to ?', "return from === to && to !== 'completed' ?"],
    ],
    seed: 1,
  },
  {
    name: 'a removal makes a balance negative for a moment',
    file: 'server/src/features/ledger/bulk-tables.ts',
    changes: [['greatest(w.amount, -u.red_coin_balance)', 'w.amount']],
    seed: 1,
  },
  {
    name: 'a reward is paid again after leaving',
    file: 'server/src/features/watch/paid-before.ts',
    changes: [['if (twitchId === null) return false', 'if (twitchId !== "") return false']],
    seed: 1,
  },
  {
    name: 'a reversed batch is reversed again',
    file: 'server/src/features/grants/reverse-batch.ts',
    changes: [['if (await isReversed(tx, batchId))', "if (batchId === '')"]],
    seed: 1,
  },
  {
    name: 'a log entry stands out of order',
    file: 'server/src/features/fairness/log-tables.ts',
    changes: [['   ORDER BY h.id`', '   ORDER BY h.kind DESC, h.id`']],
    seed: 1,
  },
  {
    name: 'a seed is shown before its reveal',
    file: 'server/src/features/fairness/chains.ts',
    changes: [
      ['const { chainId, index, commitment } = await', 'const chain = await'],
      [
        'return { chainId, index, commitment, ended: await endedChains(tx, userId, now) }',
        "const seed = Buffer.from(seeds.open(chain) ?? []).toString('hex')\n" +
          '    const ended = await endedChains(tx, userId, now)\n' +
          '    return { ...chain, ended: [...ended, { ...chain, serverSeed: seed }] }',
      ],
    ],
    seed: 1,
  },
  {
    name: 'two processes hold the lease of a job',
    file: 'server/src/adapters/jobs/job-leases.ts',
    changes: [
      [
        `WHERE name = $2 AND \${isDue} AND \${isFree} RETURNING`,
        'WHERE name = $2 AND $1::timestamptz IS NOT NULL RETURNING',
      ],
    ],
    seed: 1,
  },
  {
    name: 'a session lives on after a role change',
    file: 'server/src/features/people/change-role.ts',
    changes: [
      ['const ended = await deleteSessions(tx, userId)', 'const ended = await noSessions(userId)'],
      [
        'function requirePower(',
        'const noSessions = async (_id: number): ReturnType<typeof deleteSessions> => []\n' +
          'function requirePower(',
      ],
    ],
    seed: 2,
  },
  {
    name: "a retry answers with somebody else's stored answer",
    file: 'server/src/adapters/db/stored-key.ts',
    changes: [[`k.user_id = \${user} AND`, `(k.user_id = \${user} OR true) AND`]],
    seed: 1,
  },
  {
    name: 'a stock return is lost in a crash',
    file: 'server/src/features/packs/store-routes.ts',
    changes: [
      [
        '    run: purchasePacks,',
        '    prepare: async ({ listingId, quantity }) => {\n' +
          '      const held = await deps.db.run(hold, [listingId, quantity])\n' +
          '      if (held.length > 0) await deps.db.run(hold, [listingId, -quantity])\n' +
          '    },\n    run: purchasePacks,',
      ],
      [
        'export function registerStore',
        "const hold = { name: 'hold', text: 'UPDATE store_pack_listings SET quantity_available = " +
          'quantity_available - $2::int WHERE id = $1 AND NOT is_unlimited AND ' +
          "quantity_available >= $2::int RETURNING id' }\n" +
          'export function registerStore',
      ],
    ],
    seed: 1,
  },
]
