/** What the caller knows: instant, target, entity, and exemptions whose scope fits or just misses. */
import type { EntityKey, EvaluationContext, Exemption, Rule } from '../../src/types.js'
import type { Random } from '../random.js'
import { INSTANTS, instant } from './instants.js'

export function context(random: Random, rules: readonly Rule[]): EvaluationContext {
  const result: Record<string, unknown> = {}
  if (random.chance(60)) {
    const at = random.pick(INSTANTS)
    result.now = random.pick([at, new Date(at), Date.parse(at)])
  }
  if (random.chance(50)) result.target = random.chance(85) ? 'plugin' : 'pipeline'
  if (random.chance(50)) {
    result.entity = {
      ...scope(random, { orgId: 'o', type: 'plugin', id: 'e' }, 75),
      ...(random.chance(50) ? { key: random.pick(KEYS) } : {}),
    }
  }
  if (random.chance(40))
    result.exemptions = Array.from({ length: 1 + random.below(3) }, (_, i) => exemption(random, rules, i))
  return result as EvaluationContext
}

/** Some name one record in two ways, some every version, some are of the other target. */
const KEYS: readonly (EntityKey | null)[] = [
  { name: 'a', version: '1.0.0' },
  { name: 'a', version: '2.0.0' },
  { name: 'a', version: '*' },
  { name: 'A', version: '1.0.0' },
  { project: 'My-App', organization: 'Acme' },
  { project: ' my_app ', organization: 'ACME' },
  { project: 'a', organization: '1.0.0' },
  null,
]

function exemption(random: Random, rules: readonly Rule[], index: number): Exemption {
  const chosen = random.pick(rules)
  const result: Record<string, unknown> = {
    id: `x${index}`,
    ruleId: random.chance(92) ? (chosen.id ?? chosen.name) : 'other',
  }
  if (random.chance(60))
    result.status = random.chance(75) ? 'approved' : random.pick(['pending', 'rejected', 'revoked', null])
  if (random.chance(30)) result.expiresAt = random.chance(90) ? instant(random) : random.pick(['tomorrow', '', null])
  Object.assign(result, scope(random, { orgId: 'o', entityType: 'plugin', entityId: 'e' }, 20))
  if (random.chance(25)) result.entityKey = random.pick(KEYS)
  return result as unknown as Exemption
}

function scope(random: Random, full: Record<string, string>, percent: number): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(full)) {
    if (random.chance(percent))
      result[key] = random.chance(88) ? item : random.pick(['other', 'pipeline', item.toUpperCase(), null])
  }
  return result
}
