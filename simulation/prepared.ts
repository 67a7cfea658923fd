// The embedded engine, made to keep what it prepared: it parses and plans every text anew otherwise,
// which is most of what a call costs.

import { type PGlite, protocol } from '@electric-sql/pglite'

const { serialize } = protocol
type Message = Awaited<ReturnType<PGlite['execProtocolStream']>>[number]
type Told<Name extends string> = Extract<Message, { name: Name }>
type Fields = readonly { readonly name: string; readonly dataTypeID: number }[]
type Prepared = { readonly statement: string; readonly types: number[]; readonly fields: Fields }

/** Runs every text as a statement that is prepared once, as the product does on PostgreSQL. */
export function prepared(lite: PGlite): PGlite {
  const known = new Map<string, Prepared>()
  const send = (...parts: Uint8Array[]) => lite.execProtocolStream(Buffer.concat(parts))
  const last = <Name extends string>(said: Message[], name: Name) =>
    said.findLast((one) => one.name === name) as Told<Name> | undefined

  const prepare = async (text: string): Promise<Prepared> => {
    const statement = `kept_${known.size + 1}`
    const of = serialize.describe({ type: 'S', name: statement })
    const said = await send(serialize.parse({ name: statement, text }), of, serialize.sync())
    const types = last(said, 'parameterDescription')?.dataTypeIDs ?? []
    const made = { statement, types, fields: last(said, 'rowDescription')?.fields ?? [] }
    known.set(text, made)
    return made
  }

  const run = async (text: string, given: unknown[] = []) => {
    const { statement, types, fields } = known.get(text) ?? (await prepare(text))
    const values = given.map((value, at) =>
      value == null ? null : (lite.serializers[types[at] ?? 0] ?? String)(value),
    )
    const call = serialize.bind({ statement, values })
    const said = await send(call, serialize.execute({}), serialize.sync())
    const rows = said.flatMap((one) =>
      one.name === 'dataRow' ? [(one as Told<'dataRow'>).fields] : [],
    )
    const parsed = (field: Fields[number], text: string | null) =>
      text === null ? null : (lite.parsers[field.dataTypeID] ?? String)(text, field.dataTypeID)
    return {
      rows: rows.map((row) =>
        Object.fromEntries(fields.map((field, at) => [field.name, parsed(field, row[at] ?? null)])),
      ),
    }
  }

  const query = (text: string, values?: unknown[]) => lite.runExclusive(() => run(text, values))
  const transaction = lite.transaction.bind(lite)
  return Object.assign(lite, {
    query: (text: string, values?: unknown[]) =>
      lite._runExclusiveTransaction(() => query(text, values)),
    transaction: (work: Parameters<typeof transaction>[0]) =>
      transaction((tx) => work(Object.assign(tx, { query }))),
  }) as unknown as PGlite
}
