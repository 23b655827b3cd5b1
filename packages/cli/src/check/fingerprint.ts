/**
 * The fingerprint of a finding: which rule, which entity of which file, which field.
 * INVARIANT: moved lines, other entities, reworded messages and changed values do not change it.
 */
import { createHash } from 'node:crypto'
import { type EntityFinding, entityFindingText } from '@plumbline/engine/sarif'

export interface FingerprintParts {
  readonly ruleId: string
  /** Relative to the repository, so that the working folder of a run does not matter. */
  readonly file: string
  readonly target: string
  /** Name or id of the entity. */
  readonly entity: string
  /** Position among the entities of the file that share this name, from 0. */
  readonly occurrence: number
  readonly field: string
}

export function fingerprint(parts: FingerprintParts): string {
  const { ruleId, file, target, entity, occurrence, field } = parts
  return digest(JSON.stringify(['plumbline/1', ruleId, file, target, entity, occurrence, field]))
}

/** The fingerprint that a server uses, which knows the entity by this identity and not by its file. */
export const entityFingerprint = (finding: EntityFinding): string => digest(entityFindingText(finding))

/** 128 bits of SHA-256 as hexadecimal digits. */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
