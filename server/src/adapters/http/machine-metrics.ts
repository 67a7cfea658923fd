// What the process takes of its machine, and what the machine has left, as metrics.

import { stat, statfs } from 'node:fs/promises'
import { Counter, Gauge, type Registry } from 'prom-client'
import { newestDump } from '../db/rolling-dumps.ts'

/** Registers the metrics; each is read when it is asked for. */
export function machineMetrics(registers: Registry[], dataDir: string): void {
  new Gauge({
    name: 'redpack_heap_used_bytes',
    help: 'Memory in use by the objects of the process',
    registers,
    collect() {
      this.set(process.memoryUsage().heapUsed)
    },
  })
  new Counter({
    name: 'redpack_processor_seconds_total',
    help: 'Processor time of the process',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  const known = async (gauge: Gauge, value: () => Promise<number | undefined>) => {
    // One without labels would say 0 where nothing is known.
    gauge.remove()
    const read = await value().catch(() => undefined)
    if (read !== undefined) gauge.set(read)
  }
  new Gauge({
    name: 'redpack_data_free_bytes',
    help: 'Room that is left on the disk of DATA_DIR',
    registers,
    collect() {
      return known(this, async () => {
        const { bavail, bsize } = await statfs(dataDir)
        return bavail * bsize
      })
    },
  })
  new Gauge({
    name: 'redpack_newest_dump_timestamp_seconds',
    help: 'When the newest dump in DATA_DIR was made, as Unix time',
    registers,
    collect() {
      return known(this, async () => {
        const newest = newestDump(dataDir)
        return newest === undefined ? undefined : (await stat(newest)).mtimeMs / 1000
      })
    },
  })
}
