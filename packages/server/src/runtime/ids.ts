/**
 * Record ids: UUIDs of version 7 (RFC 9562), so that later rows sort after earlier ones. Within one process ids only
 * increase, also within one millisecond and when the clock steps back.
 */
import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.js'

export interface Ids {
  /** A new lower-case UUIDv7. */
  next(): string
}

const POOL_BYTES = 4096

/**
 * Random bytes, generated in blocks, because generating a few at a time costs more than the rest of an id. Each byte is
 * used once.
 */
function pooledRandom(): (bytes: number) => Uint8Array {
  let pool = randomBytes(POOL_BYTES)
  let at = 0
  return (bytes) => {
    if (at + bytes > POOL_BYTES) {
      pool = randomBytes(POOL_BYTES)
      at = 0
    }
    at += bytes
    return pool.subarray(at - bytes, at)
  }
}

/** `00` to `ff`. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hexOf = (byte: number | undefined): string => HEX[(byte ?? 0) & 0xff] as string

/** The audit trail would redact twelve decimal digits in a row, because a cloud account number has that form. */
const ACCOUNT_NUMBER = /^[0-9]{12}$/

export function createIds(clock: Clock, random: (bytes: number) => Uint8Array = pooledRandom()): Ids {
  let lastMs = 0
  let sequence = 0
  /** The first two parts, which encode the millisecond. They are formatted once for all ids of a millisecond. */
  let time = ''
  return {
    next() {
      const nowMs = clock.now()
      if (nowMs > lastMs) {
        lastMs = nowMs
        time = timeOf(lastMs)
        // Half of the range is left for counting upwards within the millisecond.
        const [high = 0, low = 0] = random(2)
        sequence = ((high << 8) | low) & 0x7ff
      } else {
        sequence += 1
        if (sequence > 0xfff) {
          lastMs += 1
          time = timeOf(lastMs)
          sequence = 0
        }
      }
      const tail = random(8)
      const variant = hexOf(((tail[0] ?? 0) & 0x3f) | 0x80) + hexOf(tail[1])
      let node = ''
      for (let at = 2; at < 8; at++) node += hexOf(tail[at])
      // About one id in 280 gets a letter there.
      if (ACCOUNT_NUMBER.test(node)) node = `a${node.slice(1)}`
      return `${time}-7${hexOf(sequence >> 4).charAt(0)}${hexOf(sequence)}-${variant}-${node}`
    },
  }
}

function timeOf(ms: number): string {
  const text = ms.toString(16).padStart(12, '0')
  return `${text.slice(0, 8)}-${text.slice(8)}`
}

/** Any UUID of RFC 9562, in lower case. The version digit is not checked (spec platform 1.11). */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The system organization (spec platform 3.12). */
export const SYSTEM_ORG_ID = '00000000-0000-7000-8000-000000000001'
