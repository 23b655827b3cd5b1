/**
 * Ed25519 points whose order divides eight, by the encodings of their y coordinates.
 *
 * A signature of such a key can fit any message, so it proves nothing. Libraries treat these keys differently, and all
 * verifiers of our format must agree, so they are refused.
 */
import { toHex } from '../encoding/hex.js'

/** In little-endian order, without the sign of x: 1, -1, 0, and the two of order eight. */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '00'.repeat(32),
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
])

/** True also for an encoding whose y is not below p. No key has such an encoding. */
export function isSmallOrder(publicKey: Uint8Array): boolean {
  const y = publicKey.slice()
  y[31] = (y[31] ?? 0) & 0x7f
  const text = toHex(y)
  return SMALL_ORDER.has(text) || (text.endsWith(`${'ff'.repeat(30)}7f`) && (y[0] ?? 0) >= 0xed)
}
