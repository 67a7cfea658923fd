// The thread that runs simulations, so that no request waits for them.

import { randomFillSync } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { type SimulationInput, simulateOpenings } from '../../rules/simulation.ts'

const rollsPerFill = 8_192
const high = 2 ** 32
const highBits = 0xfffff

/** Rolls of the operating system's chance, like those of real seeds: 52 bits, none likelier. */
function systemRolls(): () => number {
  const words = new Uint32Array(rollsPerFill * 2)
  let at = words.length
  return () => {
    if (at >= words.length) {
      randomFillSync(words)
      at = 0
    }
    const roll = ((words[at] ?? 0) & highBits) * high + (words[at + 1] ?? 0)
    at += 2
    return roll
  }
}

parentPort?.postMessage(simulateOpenings(workerData as SimulationInput, systemRolls()))
