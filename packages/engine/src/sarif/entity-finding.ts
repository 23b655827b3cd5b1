/**
 * The name of a finding that does not depend on where the entity was read from: a file, or the inventory of a server.
 * INVARIANT: moved lines, renamed files, reworded messages and changed values leave it alone.
 */
import type { Target } from '../types.js'

/** Raise the number when the name of a finding changes, so that scanners do not compare the old with the new. */
export const ENTITY_FINGERPRINT = 'plumblineEntityFinding/v1'

export interface EntityFinding {
  readonly ruleId: string
  readonly target: Target
  /** The id of the entity, or its name where it has none. */
  readonly entity: string
  readonly field: string
}

/** What is hashed for it: the fingerprint is the first 32 hexadecimal digits of the SHA-256 of this text. */
export const entityFindingText = ({ ruleId, target, entity, field }: EntityFinding): string =>
  JSON.stringify(['plumbline-entity/1', ruleId, target, entity, field])
