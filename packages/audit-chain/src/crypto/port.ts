/**
 * Everything this package asks of cryptography. Two implementations come with it: `nobleCrypto` (any JavaScript
 * platform) and `nodeCrypto` from `@plumbline/audit-chain/node` (several times faster).
 * INVARIANT: both give the same bytes and the same verdict on every input; a test holds them against each other.
 */
export interface CryptoPort {
  /** SHA-256 of `input`, written to `output` at `offset` (32 bytes). */
  sha256(input: Uint8Array, output: Uint8Array, offset: number): void
  /** SHA-256 of the bytes of `prefix` followed by the UTF-8 bytes of `text`, as lower-case hexadecimal. */
  sha256Text(prefix: Uint8Array, text: string): string
  /** Ed25519 signature (RFC 8032, 64 bytes) with a 32-byte seed. */
  sign(message: Uint8Array, seed: Uint8Array): Uint8Array
  /**
   * RFC 8032 verification without the cofactor ([S]B = R + [k]A), with canonical encodings and public keys that are not of
   * small order; false, never an exception, for malformed keys and signatures.
   */
  verify(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean
  /** The 32-byte Ed25519 public key of a seed. */
  publicKey(seed: Uint8Array): Uint8Array
}
