/** `GET /admin/summary` and `GET /config`: what an administrator looks at first, and what anybody may know. */
import { and, isNull, sql } from 'drizzle-orm'
import Type from 'typebox'
import { jobTables } from '../../runtime/jobs/tables.js'
import { mailLeaves } from '../../runtime/mail/send.js'
import { anyone, systemAdmin } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { SERVER_VERSION } from '../../runtime/version.js'
import { identityTables } from '../tables.js'

const Count = Type.Integer({ minimum: 0 })

export const adminSummary = query({
  name: 'identity.admin.summary',
  summary: 'Count what the server holds',
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
    counts: Type.Record(Type.String(), Count, { description: 'What the other domains count, by name' }),
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

/** Public: a client asks before anybody signs in. */
export const publicConfig = query({
  name: 'identity.config.get',
  summary: 'Read what this server offers',
  http: { method: 'get', path: '/config' },
  access: anyone(),
  tenant: noTenant,
  input: {},
  output: strictObject({
    features: strictObject({
      billing: Type.Boolean(),
      email: Type.Boolean(),
      oauth: Type.Boolean(),
      ai: Type.Boolean(),
      builder: Type.Boolean({ description: 'A builder has asked for work lately' }),
      registry: Type.Boolean(),
    }),
    registration: Type.Enum(['open', 'invite', 'closed']),
    supportAlias: Type.Union([Type.String(), Type.Null()]),
    version: Type.String(),
  }),
  errors: [],
  async run({ db, nowMs, runtime: { settings, domains } }) {
    const isMounted = (name: string) => domains.some((domain) => domain.name === name)
    const offered: Record<string, boolean> = {}
    for (const domain of domains) Object.assign(offered, await domain.offers?.(db, { settings, nowMs }))
    return {
      features: {
        billing: settings.BILLING_ENABLED,
        email: mailLeaves(settings),
        // Sign-in by other providers and generation are not part of this version's settings.
        oauth: false,
        ai: false,
        builder: offered['builder'] ?? false,
        registry: isMounted('registry'),
      },
      registration: settings.REGISTRATION,
      supportAlias: settings.SUPPORT_ALIASES[0] ?? null,
      version: SERVER_VERSION,
    }
  },
})
