/** Rules as authors send them, and entities that meet them closely: on the generators of the engine's own proof. */
import { entity, varied } from '../../../engine/proof/generate/attributes.js'
import { condition } from '../../../engine/proof/generate/conditions.js'
import type { Random } from '../../../engine/proof/random.js'

const HOUR_MS = 3_600_000
/** Distances of dates from now, so that the jumps of the clock pass over some and meet others. */
const DISTANCES_MS = [-24 * HOUR_MS, -HOUR_MS, -1, 0, 1, 60_000, HOUR_MS, 24 * HOUR_MS]

/** What JSON carries: what a caller can send. */
const asJson = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each))) as T

export const baseEntity = (random: Random): Record<string, unknown> => withoutPrototypes(asJson(entity(random)))

export const nearEntity = (random: Random, base: Record<string, unknown>): Record<string, unknown> =>
  withoutPrototypes(asJson(random.chance(90) ? varied(random, base) : entity(random)))

/** Keys that the HTTP floor refuses in any body. */
function withoutPrototypes<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutPrototypes) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '__proto__')
      .map(([key, each]) => [key, withoutPrototypes(each)]),
  ) as T
}

export interface RuleWorld {
  readonly base: Record<string, unknown>
  /** Ids of rules that a condition may name. */
  readonly references: readonly string[]
  readonly nowMs: number
}

/** Everything of a rule but what makes it one of an organization. */
export function ruleParts(random: Random, world: RuleWorld): Record<string, unknown> {
  const { base, references, nowMs } = world
  const parts: Record<string, unknown> = {}
  const reference = () => (references.length > 0 && random.chance(35) ? random.pick(references) : undefined)
  if (random.chance(50)) Object.assign(parts, condition(random, base))
  if (random.chance(55) || parts['field'] === undefined) {
    const entries = Array.from({ length: 1 + random.below(3) }, () => {
      const dependsOnRule = reference()
      return { ...condition(random, base), ...(dependsOnRule === undefined ? {} : { dependsOnRule }) }
    })
    const gate = reference()
    parts['conditions'] = gate === undefined ? entries : [{ dependsOnRule: gate }, ...entries]
    parts['conditionMode'] = random.pick(['all', 'any'])
  }
  if (random.chance(70)) parts['severity'] = random.pick(['warning', 'error', 'critical'])
  if (random.chance(60)) parts['priority'] = random.pick([0, 1, 2, 9, 10, 10_000])
  if (random.chance(20)) parts['description'] = random.pick(['why it matters', null])
  if (random.chance(15)) parts['suppressNotification'] = random.chance(70)
  if (random.chance(20)) parts['tags'] = random.pick([[], ['a'], ['a', 'b']])
  if (random.chance(18)) parts['effectiveFrom'] = random.chance(85) ? date(random, nowMs) : null
  if (random.chance(18)) parts['effectiveUntil'] = random.chance(85) ? date(random, nowMs) : null
  if (random.chance(8)) parts['isActive'] = random.chance(30)
  return asJson(parts)
}

function date(random: Random, nowMs: number): string {
  const text = new Date(nowMs + random.pick(DISTANCES_MS)).toISOString()
  return random.chance(80) ? text : text.replace('Z', '+00:00')
}

export const laterOrNever = (random: Random, nowMs: number): number | null =>
  random.chance(35) ? null : nowMs + random.pick([1, 60_000, 30 * 60_000, HOUR_MS, 24 * HOUR_MS])

export const CLOCK_JUMPS_MS = [1, 1, 1000, 60_000, 30 * 60_000, HOUR_MS, 24 * HOUR_MS, -1, -60_000, -HOUR_MS] as const
