// The text that proves a wallet when it is signed, and the keys whose signatures prove nothing.

export interface WalletMessage {
  /** Host under which the product is reached; wallets compare it with the page they are on. */
  readonly domain: string
  readonly uri: string
  readonly address: string
  /** At least 8 letters and digits. */
  readonly nonce: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}

const statement = 'Prove that this wallet is yours. Nothing is paid and nothing can be spent.'

/** The message of Sign In With Solana, version 1, in the order of fields its grammar asks for. */
export function walletMessage(message: WalletMessage): string {
  return [
    `${message.domain} wants you to sign in with your Solana account:`,
    message.address,
    '',
    statement,
    '',
    `URI: ${message.uri}`,
    'Version: 1',
    `Nonce: ${message.nonce}`,
    `Issued At: ${message.issuedAt.toISOString()}`,
    `Expiration Time: ${message.expiresAt.toISOString()}`,
  ].join('\n')
}

/**
 * The y-coordinates of the points whose order divides 8, written in every way that decodes to them,
 * without the sign of x. For such keys one signature fits many messages.
 */
const smallOrder = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
])

/** True for the 32 bytes of a key that can prove nothing. */
export function isSmallOrderKey(key: Uint8Array): boolean {
  const digits = Array.from(key, (byte, index) => (index === 31 ? byte & 0x7f : byte))
  return smallOrder.has(digits.map((byte) => byte.toString(16).padStart(2, '0')).join(''))
}
