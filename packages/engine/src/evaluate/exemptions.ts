/**
 * Selects the exemptions of a context that apply (spec compliance 4.7).
 *
 * INVARIANT: in doubt an exemption does not apply. Doubt is an unknown status, an expiry without `now`, or a scope
 * field that the entity does not have.
 */
import type { EntityRef, EvaluationContext, Exemption } from '../types.js'
import { parseInstant } from '../value/instant.js'
import { isPresent } from '../value/own.js'
import { coveringKeyTexts, entityKeyText } from './entity-key.js'

/** Maps a rule id to the id of the first exemption that applies; null when there is none. */
export const applicableExemptions = (
  context: EvaluationContext | undefined,
  nowMs: number,
): ReadonlyMap<string, string> | null => {
  let applicable: Map<string, string> | null = null
  for (const exemption of context?.exemptions ?? []) {
    if (applicable?.has(exemption.ruleId) || !applies(exemption, context?.entity, nowMs)) continue
    applicable ??= new Map()
    applicable.set(exemption.ruleId, exemption.id)
  }
  return applicable
}

const applies = (exemption: Exemption, entity: EntityRef | undefined, nowMs: number): boolean => {
  if (isPresent(exemption.status) && exemption.status !== 'approved') return false
  // INVARIANT: a comparison with NaN is false. So an expiry that cannot be parsed, or a missing `now`, refuses the
  // exemption.
  if (isPresent(exemption.expiresAt) && !(parseInstant(exemption.expiresAt) > nowMs)) return false
  if (isPresent(exemption.orgId) && exemption.orgId.toLowerCase() !== entity?.orgId?.toLowerCase()) return false
  if (isPresent(exemption.entityType) && exemption.entityType !== entity?.type) return false
  return coversEntity(exemption, entity)
}

/**
 * Whether the exemption covers this record. When the exemption has an id, the id decides if the entity's id is known or
 * if the exemption has no key. Otherwise the key decides. An exemption with neither covers every record.
 */
export const coversEntity = (
  { entityId, entityKey }: Pick<Exemption, 'entityId' | 'entityKey'>,
  entity: EntityRef | undefined,
): boolean => {
  const id = entity?.id
  if (isPresent(entityId) && (isPresent(id) || !isPresent(entityKey))) return entityId === id
  if (!isPresent(entityKey)) return true
  return isPresent(entity?.key) && coveringKeyTexts(entity.key).includes(entityKeyText(entityKey))
}
