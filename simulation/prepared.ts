// The embedded engine, made to keep what it prepared: it parses and plans every text anew
// otherwise, which is most of what a call costs.

import { messages, type PGlite, protocol } from '@electric-sql/pglite'

const { serialize } = protocol
const { DataRowMessage, ParameterDescriptionMessage, RowDescriptionMessage } = messages

interface Prepared {
  readonly statement: string
  readonly types: readonly number[]
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

/** Runs every text as a statement that is prepared once, as the product does on PostgreSQL. */
export function prepared(lite: PGlite): PGlite {
  const known = new Map<string, Prepared>()
  const send = (...parts: Uint8Array[]) =>
    lite.execProtocolStream(Buffer.concat([...parts, serialize.sync()]))

  const prepare = async (text: string): Promise<Prepared> => {
    const statement = `kept_${known.size + 1}`
    const describe = serialize.describe({ type: 'S', name: statement })
    const said = await send(serialize.parse({ name: statement, text }), describe)
    const types = said.find((one) => one instanceof ParameterDescriptionMessage)?.dataTypeIDs ?? []
    const fields = said.find((one) => one instanceof RowDescriptionMessage)?.fields ?? []
    known.set(text, { statement, types, fields })
    return { statement, types, fields }
  }

  const run = async (text: string, given: unknown[] = []) => {
    const { statement, types, fields } = known.get(text) ?? (await prepare(text))
    const values = given.map((value, at) =>
      value == null ? null : (lite.serializers[types[at] ?? 0] ?? String)(value),
    )
    const said = await send(serialize.bind({ statement, values }), serialize.execute({}))
    const rows = said
      .filter((one) => one instanceof DataRowMessage)
      .map(({ fields: texts }) => {
        const told = fields.map(({ name, dataTypeID }, at) => {
          const text = texts[at] ?? null
          return [
            name,
            text === null ? null : (lite.parsers[dataTypeID] ?? String)(text, dataTypeID),
          ]
        })
        return Object.fromEntries(told)
      })
    return { rows }
  }

  const query = (text: string, values?: unknown[]) => lite.runExclusive(() => run(text, values))
  const [transaction, exec] = [lite.transaction.bind(lite), lite.exec.bind(lite)]
  return Object.assign(lite, {
    // Whoever takes the engine next prepares the same.
    exec: async (text: string) => (text === 'DISCARD ALL' ? [] : exec(text)),
    query: (text: string, values?: unknown[]) =>
      lite._runExclusiveTransaction(() => query(text, values)),
    transaction: (work: Parameters<typeof transaction>[0]) =>
      transaction((tx) => work(Object.assign(tx, { query }))),
  }) as unknown as PGlite
}
