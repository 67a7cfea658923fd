// What PostgreSQL says about a statement without running it: its values and its columns.

import pg from 'pg'

export interface DescribedColumn {
  readonly name: string
  /** For example `integer` or `text[]`. */
  readonly type: string
  /** True for the column of a table, taken as it stands, in which null may stand. */
  readonly mayBeNull: boolean
}

export interface Described {
  /** Types of the values in their order. */
  readonly values: readonly string[]
  readonly columns: readonly DescribedColumn[]
}

interface Field {
  readonly name: string
  readonly tableID: number
  readonly columnID: number
  readonly dataTypeID: number
}

/** The parts of the driver's connection that its types leave out. */
interface Wire {
  parse(query: { name: string; text: string; types: readonly number[] }): void
  describe(what: { type: 'S'; name: string }): void
  sync(): void
  once(event: 'parameterDescription', heard: (message: { dataTypeIDs: number[] }) => void): void
  removeAllListeners(event: 'parameterDescription'): void
}

interface RawDescription {
  readonly valueTypes: readonly number[]
  readonly fields: readonly Field[]
}

/** A request to the server in the form in which the driver queues its queries. */
class Description {
  readonly done: Promise<RawDescription>
  private resolve: (found: RawDescription) => void = () => undefined
  private reject: (error: Error) => void = () => undefined
  private readonly text: string
  private valueTypes: readonly number[] = []
  private fields: readonly Field[] = []

  constructor(text: string) {
    this.text = text
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }

  submit(connection: Wire): void {
    connection.removeAllListeners('parameterDescription')
    connection.once('parameterDescription', ({ dataTypeIDs }) => {
      this.valueTypes = dataTypeIDs
    })
    connection.parse({ name: '', text: this.text, types: [] })
    connection.describe({ type: 'S', name: '' })
    connection.sync()
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.fields = fields
  }

  handleError(error: Error): void {
    this.reject(error)
  }

  handleReadyForQuery(): void {
    this.resolve({ valueTypes: this.valueTypes, fields: this.fields })
  }
}

/** Asks one migrated database. */
export class Describer {
  private readonly client: pg.Client
  private types: ReadonlyMap<number, string> = new Map()
  private nullable: ReadonlySet<string> = new Set()

  private constructor(client: pg.Client) {
    this.client = client
  }

  static async open(url: string): Promise<Describer> {
    const describer = new Describer(new pg.Client({ connectionString: url }))
    await describer.client.connect()
    await describer.readCatalog()
    return describer
  }

  private async readCatalog(): Promise<void> {
    const types = await this.client.query<{ oid: number; name: string }>(
      'SELECT oid, format_type(oid, NULL) AS name FROM pg_type',
    )
    this.types = new Map(types.rows.map(({ oid, name }) => [oid, name]))
    // The columns of views are never marked as required, so nothing is known about them.
    const columns = await this.client.query<{ column: string }>(
      `SELECT a.attrelid || ' ' || a.attnum AS "column"
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE c.relkind IN ('r', 'p') AND NOT a.attnotnull AND a.attnum > 0`,
    )
    this.nullable = new Set(columns.rows.map(({ column }) => column))
  }

  /** @throws what the server says about a text that is wrong */
  async describe(text: string): Promise<Described> {
    const description = new Description(text)
    this.client.query(description as unknown as pg.Submittable)
    const { valueTypes, fields } = await description.done
    return {
      values: valueTypes.map((oid) => this.nameOf(oid)),
      columns: fields.map(({ name, dataTypeID, tableID, columnID }) => ({
        name,
        type: this.nameOf(dataTypeID),
        mayBeNull: this.nullable.has(`${tableID} ${columnID}`),
      })),
    }
  }

  private nameOf(oid: number): string {
    return this.types.get(oid) ?? String(oid)
  }

  async close(): Promise<void> {
    await this.client.end()
  }
}
