/** Ids sort as they were made, and evidence shows each of them as it is. */
import { scrubText } from '@plumbline/audit-chain'
import { expect, it } from 'vitest'
import { heldClock } from './clock.js'
import { createIds, UUID } from './ids.js'

it('grow within a millisecond and when the clock steps back, and are never twice the same', () => {
  const clock = heldClock(1_763_690_000_000)
  const ids = createIds(clock)
  const made = Array.from({ length: 20_000 }, (_, n) => {
    if (n === 5000) clock.advance(-10_000)
    if (n === 15_000) clock.advance(60_000)
    return ids.next()
  })
  expect(made.every((id) => UUID.test(id) && id[14] === '7' && /[89ab]/.test(id[19] ?? ''))).toBe(true)
  expect([...made].sort()).toEqual(made)
  expect(new Set(made).size).toBe(made.length)
})

it('hold no run of twelve digits, which the audit trail would take for the number of an account', () => {
  const ids = createIds(heldClock(1_763_690_000_000))
  const changed = Array.from({ length: 20_000 }, () => ids.next()).filter((id) => scrubText(id) !== id)
  expect(changed).toEqual([])
  // Also where every draw would give one.
  for (const byte of [0x00, 0x42, 0x99]) {
    const id = createIds(heldClock(1_763_690_000_000), (bytes) => new Uint8Array(bytes).fill(byte)).next()
    expect([UUID.test(id), scrubText(id)]).toEqual([true, id])
  }
})
