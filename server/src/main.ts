// Starts the product, or says in one line that this Node is too old for it. Imports nothing at the
// top: an older Node would end there with a riddle.

const oldest = [20, 19] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1]))
  await import('./process/start.ts')
else {
  process.stderr.write(
    `Redpack needs Node ${oldest.join('.')} or later, better 24; this is ${process.versions.node}\n`,
  )
  process.exitCode = 1
}

export {}
