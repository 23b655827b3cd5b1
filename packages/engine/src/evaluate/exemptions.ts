/**
 * Which exemptions of a context apply (spec compliance 4.7).
 *
 * INVARIANT: when in doubt an exemption does not apply: an unknown status, an expiry without `now`, a scope field that
 * the entity lacks.
 */
import type { EntityRef, EvaluationContext, Exemption } from '../types.js'
import { parseInstant } from '../value/instant.js'
import { isPresent } from '../value/own.js'
import { coveringKeyTexts, entityKeyText } from './entity-key.js'

/** Rule id to the id of the first exemption that applies; null when there is none. */
export const applicableExemptions = (context: EvaluationContext, nowMs: number): ReadonlyMap<string, string> | null => {
  const given = context.exemptions
  if (given === undefined || given.length === 0) return null
  const applicable = new Map<string, string>()
  for (const exemption of given) {
    if (!applicable.has(exemption.ruleId) && applies(exemption, context.entity, nowMs)) {
      applicable.set(exemption.ruleId, exemption.id)
    }
  }
  return applicable.size === 0 ? null : applicable
}

const applies = (exemption: Exemption, entity: EntityRef | undefined, nowMs: number): boolean => {
  if (isPresent(exemption.status) && exemption.status !== 'approved') return false
  // INVARIANT: a comparison with NaN is false, so an unreadable expiry or a missing `now` refuses.
  if (isPresent(exemption.expiresAt) && !(parseInstant(exemption.expiresAt) > nowMs)) return false
  if (isPresent(exemption.orgId) && exemption.orgId.toLowerCase() !== entity?.orgId?.toLowerCase()) return false
  if (isPresent(exemption.entityType) && exemption.entityType !== entity?.type) return false
  return coversEntity(exemption, entity)
}

/**
 * Whether the exemption is for this record: by its id, or by its key where the exemption names none, or where the id of the
 * entity is not known. One that names no record is for all of them.
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
