// What the public log needs from outside the database: a key to sign with, witnesses, and a memory
// of what was signed that a restored database cannot take back.

import type { Config } from '../../config.ts'
import { type Signer, signerOf } from './ed25519.ts'
import { type Witness, witnessAt } from './witness.ts'

/** Keeps the newest signed checkpoint outside the database. */
export interface SignedMemory {
  read(): string | undefined
  keep(note: string): void
}

export interface PublicLog {
  /** Undefined while no key is set; then nothing is signed and everything else goes on. */
  readonly signer: Signer | undefined
  readonly witnesses: readonly Witness[]
  readonly memory: SignedMemory
  /** The Discord channel that gets the checkpoint of each day. */
  readonly discordChannelId: string | undefined
}

const forgetful: SignedMemory = { read: () => undefined, keep: () => undefined }

/** Opens nothing: witnesses are called when there is a checkpoint to cosign. */
export function publicLog(
  config: Pick<Config, 'logSigningKey' | 'logWitnesses' | 'logDiscordChannelId'>,
  memory: SignedMemory = forgetful,
): PublicLog {
  const { logSigningKey, logWitnesses, logDiscordChannelId } = config
  return {
    signer: logSigningKey === undefined ? undefined : signerOf(logSigningKey),
    witnesses: logWitnesses.map(witnessAt),
    memory,
    discordChannelId: logDiscordChannelId,
  }
}
