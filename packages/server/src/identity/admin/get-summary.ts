import { and, isNull, sql } from 'drizzle-orm'
import Type from 'typebox'
import { jobTables } from '../../runtime/jobs/tables.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { identityTables } from '../tables.js'

const Count = Type.Integer({ minimum: 0 })

export const getAdminSummary = query({
  name: 'identity.admin.get-summary',
  summary: 'Count the records of the server',
  http: { method: 'get', path: '/admin/summary' },
  access: systemAdmin(),
  tenant: noTenant,
  snapshot: true,
  input: {},
  output: strictObject({
    organizations: Count,
    deletedOrganizations: Count,
    users: Count,
    queue: Count,
    dlq: Count,
    counts: Type.Record(Type.String(), Count, { description: 'Counts of the other domains, by name' }),
  }),
  errors: [],
  async run({ db, runtime }) {
    const { organizations, users } = identityTables(db)
    const { jobs } = jobTables(db)
    const live = await db.$count(organizations, and(isNull(organizations.deletedAtMs)))
    const all = await db.$count(organizations)
    const states = await db
      .select({ state: jobs.state, count: sql<number>`count(*)`.mapWith(Number) })
      .from(jobs)
      .groupBy(jobs.state)
    const inState = (...names: string[]) =>
      states.reduce((sum, { state, count }) => (names.includes(state) ? sum + count : sum), 0)
    const counts: Record<string, number> = {}
    for (const domain of runtime.domains) {
      for (const [name, count] of Object.entries((await domain.summary?.(db)) ?? {})) counts[name] = count
    }
    return {
      organizations: live,
      deletedOrganizations: all - live,
      users: await db.$count(users),
      queue: inState('waiting', 'running'),
      dlq: inState('dead'),
      counts,
    }
  },
})
