/** The list of records that an organization deleted and can restore, the latest first. Source: spec platform 22. */
import { and, eq } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Static, TSchema } from 'typebox'
import { type Access, either, ORG_SCOPES, type Permission, permission, scope } from '../operation/access.js'
import { tenantId } from '../operation/context.js'
import { listOf } from '../operation/list.js'
import { fromHeader, type Query, query } from '../operation/operation.js'
import type { Db } from '../store/db.js'
import { isDeleted } from './soft-delete.js'

type DeletedTable = SQLiteTable & {
  readonly id: SQLiteColumn
  readonly orgId: SQLiteColumn
  readonly deletedAtMs: SQLiteColumn
}

export interface DeletedList<K extends string, I extends TSchema, T extends DeletedTable, S extends string> {
  readonly name: Query['name']
  readonly summary: string
  readonly path: `/${string}/deleted`
  readonly permission: Permission
  /** The key of the items in `data`. */
  readonly key: K
  readonly item: I
  readonly sortBy: readonly [S, ...S[]]
  table(db: Db): T
  /** The last change of a deleted record is its deletion. So `updatedAtMs` is used for it, which is never null. */
  columns(table: T): Readonly<Record<S, SQLiteColumn>>
  present(row: T['$inferSelect'], orgId: string): Static<I>
}

export function deletedList<const K extends string, I extends TSchema, T extends DeletedTable, S extends string>(
  definition: DeletedList<K, I, T, S>,
) {
  const { name, summary, path, key, item, sortBy } = definition
  const list = listOf({ key, item, sortBy })
  return query({
    name,
    summary,
    http: { method: 'get', path },
    access: readAccess(definition.permission),
    tenant: fromHeader,
    input: { query: list.query },
    output: list.output,
    errors: ['VALIDATION_ERROR'],
    run(context, { query: asked }) {
      const table = definition.table(context.db)
      const orgId = tenantId(context)
      // The key of the items is a parameter, so TypeScript cannot compute the type of the answer here.
      return list.page(context.db, {
        table,
        where: and(eq(table.orgId, orgId), isDeleted(table)),
        columns: definition.columns(table),
        id: table.id,
        query: asked,
        present: (row) => definition.present(row, orgId),
      }) as Promise<never>
    },
  })
}

/** A service principal with the scope of the same name may read what the permission may read. */
function readAccess(name: Permission): Access {
  const own = ORG_SCOPES.find((each) => each === name)
  return own === undefined ? permission(name) : either(permission(name), scope(own))
}
