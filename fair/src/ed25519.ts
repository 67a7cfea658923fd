// Checks Ed25519 signatures: with the browser's own cryptography where it has them, else with a
// library that is loaded only then.

/** Bytes as the browser's cryptography takes them. */
const plain = (bytes: Uint8Array) => new Uint8Array(bytes)

export async function isSigned(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', plain(publicKey), 'Ed25519', false, ['verify'])
    return await crypto.subtle.verify('Ed25519', key, plain(signature), plain(message))
  } catch {
    return isSignedByLibrary(publicKey, message, signature)
  }
}

/** The same without the browser's help. */
export async function isSignedByLibrary(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const [{ hashes, verify }, { sha512 }] = await Promise.all([
    import('@noble/ed25519'),
    import('@noble/hashes/sha2.js'),
  ])
  hashes.sha512 = sha512
  try {
    return verify(signature, message, publicKey, { zip215: false })
  } catch {
    return false
  }
}
