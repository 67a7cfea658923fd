// Health check of a container: asks its process whether it is alive. Exit code 0 means yes.

const url = `http://127.0.0.1:${process.env.PORT || 3000}/health/live`
try {
  const { ok } = await fetch(url, { signal: AbortSignal.timeout(4_000) })
  process.exitCode = ok ? 0 : 1
} catch (error) {
  console.error(`${url}: ${error.cause?.code ?? error.message}`)
  process.exitCode = 1
}
