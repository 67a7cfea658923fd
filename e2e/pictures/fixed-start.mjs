// Loaded before the product of the pictures: its time begins at the same moment in every run, and
// its chance takes the same course, so that pictures differ only where the product does.

import crypto, { createHash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { shiftedDate, startMillis } from './shifted-date.mjs'

globalThis.Date = shiftedDate(Date, startMillis - Date.now())

let count = 0

function bytes(size) {
  const blocks = []
  for (let made = 0; made < size; made += 32) {
    count += 1
    blocks.push(createHash('sha256').update(`picture ${count}`).digest())
  }
  return Buffer.concat(blocks).subarray(0, size)
}

crypto.randomBytes = bytes
syncBuiltinESMExports()
