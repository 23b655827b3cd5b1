/** Instants around one moment, so that bounds meet exactly, miss by a millisecond, and come in several spellings. */
import type { Random } from '../random.js'

export const INSTANTS = [
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01T01:00:00+01:00',
  '2025-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00.001Z',
  '2026-06-30T12:00:00.000Z',
  '2024-02-29T00:00:00.000Z',
] as const
export const INSTANTS_MS = INSTANTS.map((text) => Date.parse(text))

export function instant(random: Random): unknown {
  const text = random.pick(INSTANTS)
  return random.chance(75) ? text : new Date(text)
}
