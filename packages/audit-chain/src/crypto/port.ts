/**
 * The cryptographic functions that this package needs.
 *
 * There are two implementations: `nobleCrypto` (any JavaScript platform) and `nodeCrypto` from
 * `@plumbline/audit-chain/node` (several times faster). INVARIANT: both return the same bytes and the same verdict for
 * every input; a test compares them.
 */
export interface CryptoPort {
  /** Writes the SHA-256 of `input` (32 bytes) to `output` at `offset`. */
  sha256(input: Uint8Array, output: Uint8Array, offset: number): void
  /** Returns the SHA-256 of `prefix` followed by the UTF-8 bytes of `text`, in lower-case hexadecimal. */
  sha256Text(prefix: Uint8Array, text: string): string
  /** Returns the Ed25519 signature (RFC 8032, 64 bytes) of a 32-byte seed's key. */
  sign(message: Uint8Array, seed: Uint8Array): Uint8Array
  /**
   * Verifies as in RFC 8032 without the cofactor ([S]B = R + [k]A). Encodings must be canonical, and the public key
   * must not be of small order. Returns false for malformed keys and signatures; it never throws.
   */
  verify(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean
  /** The 32-byte Ed25519 public key of a seed. */
  publicKey(seed: Uint8Array): Uint8Array
}
