/** Lists of billing, newest first: of one account for its people, or of all accounts for operators. */
import { and, eq, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from '../runtime/errors.js'
import { type Access, permission, systemAdmin } from '../runtime/operation/access.js'
import { type ReadContext, type Runtime, tenantId } from '../runtime/operation/context.js'
import { equals } from '../runtime/operation/filters.js'
import { listOf } from '../runtime/operation/list.js'
import { fromAccount, noTenant, query, type TenantSource } from '../runtime/operation/operation.js'
import type { Db } from '../runtime/store/db.js'
import { BILLING_ERRORS, requireBilling } from './account/gate.js'

interface Owner {
  /** The column of the account whose rows are listed. */
  readonly orgId?: SQLiteColumn
}

interface Definition<
  O extends Owner,
  K extends string,
  I extends TSchema,
  F extends Record<string, TSchema>,
  T extends SQLiteTable,
> {
  readonly name: `billing.${string}.${string}`
  readonly summary: string
  readonly description?: string
  readonly path: `/${string}`
  readonly key: K
  readonly item: I
  readonly filters?: F
  readonly errors?: readonly ErrorCode[]
  /** @throws Refusal while this part of billing is off. */
  readonly requireOn?: (runtime: Runtime) => void
  rows(db: Db): O & {
    readonly table: T
    readonly id: SQLiteColumn
    readonly createdAt: SQLiteColumn
    /** The column that each filter compares. */
    readonly filters?: Readonly<Record<keyof F, SQLiteColumn>>
  }
  present(row: T['$inferSelect'], runtime: Runtime): Static<I>
}

interface Reach {
  readonly access: Access
  readonly tenant: TenantSource
}

const define =
  <O extends Owner>({ access, tenant }: Reach) =>
  <
    const K extends string,
    I extends TSchema,
    T extends SQLiteTable,
    F extends Record<string, TSchema> = Record<never, TSchema>,
  >(
    definition: Definition<O, K, I, F, T>,
  ) => {
    const { name, summary, description, path, key, item, filters, errors = [], requireOn, rows, present } = definition
    const list = listOf({ key, item, ...(filters === undefined ? {} : { filters }), sortBy: ['createdAt'] })
    return query<{ query: TObject }, TSchema>({
      name,
      summary,
      ...(description === undefined ? {} : { description }),
      http: { method: 'get', path },
      access,
      tenant,
      input: { query: list.query },
      output: list.output,
      errors: [...BILLING_ERRORS, ...errors],
      run(context: ReadContext, { query: asked }) {
        const { db, runtime } = context
        requireBilling(runtime)
        requireOn?.(runtime)
        const { table, id, createdAt, orgId, filters: columns = {} } = rows(db)
        const where: (SQL | undefined)[] = Object.entries<SQLiteColumn>(columns).map(([filter, column]) =>
          equals(column, asked[filter]),
        )
        // guard: a-list-of-an-account-has-its-rows-alone
        if (orgId !== undefined) where.push(eq(orgId, tenantId(context)))
        return list.page(db, {
          table,
          where: and(...where),
          columns: { createdAt },
          id,
          query: asked,
          present: (row) => present(row, runtime),
        })
      },
    })
  }

export const listForOperators = define<Owner>({ access: systemAdmin(), tenant: noTenant })
export const listOfAccount = define<Required<Owner>>({ access: permission('billing:read'), tenant: fromAccount })
