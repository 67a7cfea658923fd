// Makes client seeds: random numbers of this browser, which the server cannot foresee.

const seedBytes = 16

/** 32 random hex digits. */
export function randomClientSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(seedBytes))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
