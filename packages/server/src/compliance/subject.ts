/** The entity that a check evaluates. */
import { type Attributes, type EntityKey, entityKeyOf, type Target } from '@plumbline/engine'

export interface Subject {
  readonly target: Target
  /** Null for a record that is not stored yet. */
  readonly entityId: string | null
  readonly entityName: string | null
  /** The key in its attributes; null when they have none. */
  readonly key: EntityKey | null
}

export const subjectOf = (
  target: Target,
  { entityId = null, entityName = null }: { readonly entityId?: string | null; readonly entityName?: string | null },
  attributes: Attributes,
): Subject => ({ target, entityId, entityName, key: entityKeyOf(target, attributes) })
