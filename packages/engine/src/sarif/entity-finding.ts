/**
 * The fingerprint of a finding, which does not depend on where the entity was read: from a file, or from a server.
 *
 * INVARIANT: moved lines, renamed files, reworded messages and changed values do not change it.
 */
import type { Target } from '../types.js'

/** Raise the version when the fingerprint changes, so that scanners do not compare old fingerprints with new ones. */
export const ENTITY_FINGERPRINT = 'plumblineEntityFinding/v1'

export interface EntityFinding {
  readonly ruleId: string
  readonly target: Target
  /** The id of the entity, or its name when it has no id. */
  readonly entity: string
  readonly field: string
}

/** Returns the text to hash. The fingerprint is the first 32 hexadecimal digits of its SHA-256. */
export const entityFindingText = ({ ruleId, target, entity, field }: EntityFinding): string =>
  JSON.stringify(['plumbline-entity/1', ruleId, target, entity, field])
