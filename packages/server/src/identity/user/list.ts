/** List the accounts of the server. */
import { and, asc, desc, or, type SQL } from 'drizzle-orm'
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { containsName, equals } from '../../runtime/operation/filters.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { pageFields, pageOf, paginated, pagination, sortFields } from '../paging.js'
import { identityTables } from '../tables.js'
import { superAdminsAmong, UserRecord, userRecord } from './record.js'

export const listUsers = query({
  name: 'identity.user.list',
  summary: 'List the accounts of the server',
  http: { method: 'get', path: '/admin/users' },
  access: systemAdmin(),
  tenant: noTenant,
  snapshot: true,
  input: {
    query: Type.Object({
      ...pageFields,
      ...sortFields(['createdAt', 'username', 'email', 'lastActiveAt']),
      search: Type.Optional(Type.String({ maxLength: 100 })),
      isActive: Type.Optional(Type.Boolean()),
    }),
  },
  output: paginated('users', UserRecord),
  errors: [],
  async run({ db, runtime }, { query: wanted }) {
    const { users } = identityTables(db)
    const page = pageOf(wanted, runtime.settings)
    const conditions: (SQL | undefined)[] = [
      equals(users.isActive, wanted.isActive),
      wanted.search === undefined
        ? undefined
        : or(containsName(users.usernameKey, wanted.search), containsName(users.emailKey, wanted.search)),
    ]
    const columns = {
      createdAt: users.createdAtMs,
      username: users.usernameKey,
      email: users.emailKey,
      lastActiveAt: users.lastActiveAtMs,
    }
    const direction = wanted.sortOrder === 'asc' ? asc : desc
    const rows = await db
      .select()
      .from(users)
      .where(and(...conditions))
      .orderBy(direction(columns[wanted.sortBy ?? 'createdAt']), direction(users.id))
      .limit(page.limit)
      .offset(page.offset)
    const admins = await superAdminsAmong(
      db,
      rows.map(({ id }) => id),
    )
    const total = await db.$count(users, and(...conditions))
    return {
      users: rows.map((row) => userRecord(row, admins.has(row.id))),
      pagination: pagination(page, total, rows.length),
    }
  },
})
