/**
 * The two hashes of an RFC 9162 tree: leaf = H(0x00 || event hash), node = H(0x01 || left || right). The empty tree has
 * root H("").
 * INVARIANT: the prefixes differ, so that no inner node can be shown as a leaf.
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

/** Hash of the leaf that holds an event hash. Throws when the text is not a hash: verifiers check that beforehand. */
export function leafHash(crypto: CryptoPort, eventHash: string): string {
  writeLeafHash(crypto, eventHash, output, 0)
  return toHex(output)
}

/** The hash of two nodes, each given in hexadecimal, in hexadecimal. */
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

/** Hash of two nodes that lie in byte arrays; the target may be where one of them lies. */
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
