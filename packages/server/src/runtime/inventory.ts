/**
 * The live inventory of a kind of record, as rules see it: what scans, previews and references of exemptions read. The
 * domain that owns the records provides it. Source: spec compliance 13.1 and 18.
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
  /** A part of the name, of either case. */
  readonly name?: string
  readonly accessModifier?: string
  readonly isDefault?: boolean
}

/** The live inventory of one kind of record; the domain that owns it registers it. */
export interface EntitySource {
  readonly target: Target
  /** Null for a record that is deleted, another organization's or unknown. */
  read(db: Db, orgId: string, id: string): Promise<Entity | null>
  /** At most `limit` live records behind `afterId`, by id; without the first `offset` of them. */
  page(
    db: Db,
    orgId: string,
    page: { afterId: string; limit: number; filter?: EntityFilter; offset?: number; order?: 'asc' | 'desc' },
  ): Promise<readonly Entity[]>
  count(db: Db, orgId: string, filter?: EntityFilter): Promise<number>
  /** The live record with exactly this key; null where there is none, and for a key of the other target. */
  idOfKey(db: Db, orgId: string, key: EntityKey): Promise<string | null>
  /** The live records with one of these ids, or one of these keys, whose version may be `*`. */
  find(db: Db, orgId: string, wanted: WantedEntities): Promise<readonly NamedEntity[]>
}

export interface WantedEntities {
  readonly ids: readonly string[]
  readonly keys: readonly EntityKey[]
}

/** What a stored record is called by. */
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
