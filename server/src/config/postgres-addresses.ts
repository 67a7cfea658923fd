// The address of a PostgreSQL with several hosts, as libpq writes it, taken apart by host.

const shape = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/
const kinds = new Set(['any', 'primary', 'read-write'])
/** With these the driver checks certificate and name too, and warns that this may change. */
const checked = new Set(['prefer', 'require', 'verify-ca'])

/**
 * The addresses in `url`, one a host: `postgres://u@h1:1,h2:2/db?target_session_attrs=read-write`
 * are two. `target_session_attrs` is taken off: of several hosts the one that writes is looked for.
 * An `sslmode` stands there by the name of what it does, unless `uselibpqcompat` asks for less.
 * Undefined when it cannot be read, or asks for a server that does not write.
 */
export function databaseAddresses(url: string): readonly string[] | undefined {
  const [, head, hosts, tail] = shape.exec(url) ?? []
  if (head === undefined || hosts === undefined || tail === undefined) return undefined
  const addresses: string[] = []
  for (const host of hosts.split(',')) {
    const address = `${head}${host}${tail}`
    if (!URL.canParse(address) || (host === '' && hosts !== '')) return undefined
    const parsed = new URL(address)
    const kind = parsed.searchParams.get('target_session_attrs')
    if (kind !== null && !kinds.has(kind)) return undefined
    parsed.searchParams.delete('target_session_attrs')
    const isChecked =
      checked.has(parsed.searchParams.get('sslmode') ?? '') &&
      parsed.searchParams.get('uselibpqcompat') !== 'true'
    if (isChecked) parsed.searchParams.set('sslmode', 'verify-full')
    addresses.push(kind === null && !isChecked ? address : parsed.href)
  }
  return addresses
}

/** Where an address leads, without names and passwords; for the log. */
export function hostOf(address: string): string {
  const { host, searchParams } = new URL(address)
  return searchParams.get('host') ?? host
}
