/**
 * The two hashes of an RFC 9162 tree: leaf = H(0x00 || event hash), node = H(0x01 || left || right). The root of the
 * empty tree is H("").
 *
 * INVARIANT: the prefixes differ, so that an inner node cannot be presented as a leaf.
 */
import type { CryptoPort } from '../crypto/port.js'
import { toHex, writeHex } from '../encoding/hex.js'

export const HASH_BYTES = 32

/** SHA-256 of nothing. */
export const EMPTY_ROOT = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const leafInput = new Uint8Array(1 + HASH_BYTES)
const nodeInput = new Uint8Array(1 + 2 * HASH_BYTES)
nodeInput[0] = 1
const output = new Uint8Array(HASH_BYTES)

/** Returns the hash of a leaf, given an event hash. It throws when the text is not a hash; verifiers check that first. */
export function leafHash(crypto: CryptoPort, eventHash: string): string {
  writeLeafHash(crypto, eventHash, output, 0)
  return toHex(output)
}

/** Returns the hash of two nodes. All three are hexadecimal. */
export function nodeHash(crypto: CryptoPort, left: string, right: string): string {
  writeHash(left, nodeInput, 1)
  writeHash(right, nodeInput, 1 + HASH_BYTES)
  crypto.sha256(nodeInput, output, 0)
  return toHex(output)
}

export function writeLeafHash(crypto: CryptoPort, eventHash: string, target: Uint8Array, offset: number): void {
  writeHash(eventHash, leafInput, 1)
  crypto.sha256(leafInput, target, offset)
}

/** Writes the hash of two nodes that are in byte arrays. The target may overlap one of them. */
export function writeNodeHash(
  crypto: CryptoPort,
  left: Uint8Array,
  leftAt: number,
  right: Uint8Array,
  rightAt: number,
  target: Uint8Array,
  offset: number,
): void {
  for (let index = 0; index < HASH_BYTES; index++) {
    nodeInput[1 + index] = left[leftAt + index] ?? 0
    nodeInput[1 + HASH_BYTES + index] = right[rightAt + index] ?? 0
  }
  crypto.sha256(nodeInput, target, offset)
}

function writeHash(text: string, target: Uint8Array, offset: number): void {
  if (text.length !== HASH_BYTES * 2 || !writeHex(text, target, offset)) {
    throw new TypeError('a hash must be 64 lower-case hexadecimal digits')
  }
}
