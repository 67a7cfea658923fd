// Circles, reach and rooms of the import graph.

/** The room of a file: a feature of server or browser, or else its folder. */
export function roomOf(file) {
  const [workspace, src, folder, room] = file.split('/')
  if (src !== 'src') return workspace.includes('.') ? 'root' : workspace
  if (folder === 'features') return `${workspace}/${room}`
  return folder.includes('.') ? workspace : `${workspace}/${folder}`
}

/** The entries grouped by `keyOf`. */
export function groupBy(entries, keyOf) {
  const groups = new Map()
  for (const entry of entries) {
    const group = groups.get(keyOf(entry))
    if (group === undefined) groups.set(keyOf(entry), [entry])
    else group.push(entry)
  }
  return groups
}

/** Every file that runs along with `starts`, as far as `isMeant` allows. */
export function valueClosure(imports, starts, isMeant) {
  const values = groupBy(
    imports.filter(({ isValue, to }) => isValue && isMeant(to)),
    ({ from }) => from,
  )
  return [...reached(values, starts)].sort()
}

/** Groups that need each other, each with its names. */
export function circles(imports) {
  const onwards = groupBy(imports, ({ from }) => from)
  const reach = new Map([...onwards.keys()].map((name) => [name, reached(onwards, [name], true)]))
  const found = new Map()
  for (const [name, names] of reach) {
    if (!names.has(name)) continue
    const circle = [...names].filter((other) => reach.get(other)?.has(name)).sort()
    found.set(circle.join(), circle)
  }
  return [...found.values()]
}

function reached(onwards, starts, isWithoutStarts = false) {
  const seen = new Set(isWithoutStarts ? [] : starts)
  const queue = [...starts]
  for (const name of queue) {
    for (const { to } of onwards.get(name) ?? []) {
      if (seen.has(to)) continue
      seen.add(to)
      queue.push(to)
    }
  }
  return seen
}
