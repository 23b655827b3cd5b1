/**
 * The cryptographic functions that billing needs, as a value.
 *
 * There are two implementations: `nobleCrypto` (any runtime) and `nodeCrypto` of `@plumbline/billing-core/node`. All
 * functions are synchronous. Randomness is an argument.
 */
export interface CryptoPort {
  /** AES-256-GCM with a 32-byte key and a 12-byte IV. Returns the ciphertext followed by the 16-byte tag. */
  seal(key: Uint8Array, iv: Uint8Array, additional: Uint8Array, plaintext: Uint8Array): Uint8Array
  /** Returns the plaintext, or null when the tag does not match. It never throws on invalid input. */
  open(key: Uint8Array, iv: Uint8Array, additional: Uint8Array, sealed: Uint8Array): Uint8Array | null
  hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array
  /** Compares secrets. The time depends on the lengths alone. Returns false when they differ. */
  equal(a: Uint8Array, b: Uint8Array): boolean
}

export const KEY_BYTES = 32
export const IV_BYTES = 12
export const TAG_BYTES = 16
