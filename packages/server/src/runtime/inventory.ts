/**
 * The live inventory of a kind of record, as rules see it. Scans, previews and exemptions that refer to records read
 * it. The domain that owns the records provides it. Source: spec compliance 13.1 and 18.
 */
import { coveringKeyTexts, type EntityKey, entityKeyText, type Target } from '@plumbline/engine'
import type { Db } from './store/db.js'

/** A stored record as rules see it. */
export interface Entity {
  readonly id: string
  readonly name: string
  readonly revision: number
  /** The whole projection (`projectEntity`). */
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface EntityFilter {
  readonly entityIds?: readonly string[]
  /** A part of the name, case-insensitive. */
  readonly name?: string
  readonly accessModifier?: string
  readonly isDefault?: boolean
}

/** The live inventory of one kind of record; the domain that owns it registers it. */
export interface EntitySource {
  readonly target: Target
  /** Returns null for a record that is deleted, unknown, or of another organization. */
  read(db: Db, orgId: string, id: string): Promise<Entity | null>
  /** Returns at most `limit` live records after `afterId`, in order of id, without the first `offset` of them. */
  page(
    db: Db,
    orgId: string,
    page: { afterId: string; limit: number; filter?: EntityFilter; offset?: number; order?: 'asc' | 'desc' },
  ): Promise<readonly Entity[]>
  count(db: Db, orgId: string, filter?: EntityFilter): Promise<number>
  /**
   * Returns the id of the live record with exactly this key; null when there is none, and for a key of the other
   * target.
   */
  idOfKey(db: Db, orgId: string, key: EntityKey): Promise<string | null>
  /** Returns the live records that have one of these ids or one of these keys. A version in a key may be `*`. */
  find(db: Db, orgId: string, wanted: WantedEntities): Promise<readonly NamedEntity[]>
}

export interface WantedEntities {
  readonly ids: readonly string[]
  readonly keys: readonly EntityKey[]
}

/** What identifies a stored record. */
export interface NamedEntity {
  readonly id: string
  readonly name: string
  readonly key: EntityKey
}

/** Those of the records that have one of the ids or one of the keys. */
export function wantedOf(records: readonly NamedEntity[], { ids, keys }: WantedEntities): NamedEntity[] {
  const texts = new Set(keys.map(entityKeyText))
  return records.filter(({ id, key }) => ids.includes(id) || coveringKeyTexts(key).some((text) => texts.has(text)))
}
