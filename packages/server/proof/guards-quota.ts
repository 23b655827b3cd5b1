/**
 * Lines that hold accounts to their limits. Each was taken out in a copy, and its test failed there.
 *
 * `find` occurs exactly once in its file; a test holds the list to the sources.
 */
import type { Guard } from './guard.js'

const guard = (name: string, file: string, find: string, replace: string, test: string): Guard => ({
  name,
  file: `quota/${file}.ts`,
  find,
  replace,
  test: `src/quota/${test}.test.ts`,
})

export const QUOTA_GUARDS: readonly Guard[] = [
  guard(
    'the limit of places',
    'capacity/port',
    'if (used + amount > limit) throw',
    'if (false) throw',
    'capacity/take',
  ),
  guard(
    'places are counted under the lock of the root',
    'capacity/port',
    "      await lockRow(tx, 'organizations', found.rootOrgId)\n",
    '',
    'capacity/take',
  ),
  guard(
    'places are counted over the whole account',
    'capacity/port',
    'await accountOrgIds(db, rootOrgId))',
    '[orgId])',
    'capacity/take',
  ),
  guard(
    "a team's own limit of places",
    'capacity/port',
    'if (own !== UNLIMITED) await look',
    'if (false) await look',
    'capacity/take',
  ),
  guard(
    'a deleted team holds no places',
    'account/limit',
    ', isNull(organizations.deletedAtMs)))',
    '))',
    'capacity/take',
  ),
  guard(
    'places are not counted through row security',
    'account/limit',
    'if (row.databaseRole === TENANT_ROLE) throw',
    'if (false) throw',
    'capacity/take',
  ),
  guard(
    'a counter stays within its limit',
    'meter/counters',
    '...(limit === UNLIMITED ? {} : { setWhere',
    '...(true ? {} : { setWhere',
    'meter/counters',
  ),
  guard(
    'the first use of a period stays within the limit',
    'meter/counters',
    'if (limit !== UNLIMITED && amount > limit) return null',
    '',
    'meter/counters',
  ),
  guard(
    "a team's own limit of use",
    'meter/consume',
    'if (share === null) throw',
    'if (false) throw',
    'meter/counters',
  ),
  guard(
    'the limit of API calls',
    'meter/api-calls',
    'if (state.limit !== UNLIMITED && state.used >= state.limit) throw',
    'if (false) throw',
    'meter/api-calls',
  ),
  guard(
    'administrators use up no API calls',
    'meter/api-calls',
    'org.isSystem || isSuperAdmin) return null',
    'org.isSystem) return null',
    'meter/api-calls',
  ),
  {
    name: 'a request without an answer is no API call',
    file: 'runtime/http/request-limits.ts',
    find: 'if (status === 401 || status === 429) ',
    replace: 'if (false) ',
    test: 'src/quota/meter/api-calls.test.ts',
  },
  guard(
    'limits are set on the root alone',
    'change/account-root',
    'if (rootOrgId !== orgId) {',
    'if (false) {',
    'quotas',
  ),
  guard(
    'limits of teams are those of the account’s teams',
    'change/update',
    'known.has(id) && id !== root.id',
    'true',
    'quotas',
  ),
  guard('a limit below the use', 'change/update', 'if (!force) await', 'if (false) await', 'quotas'),
  guard(
    'an idempotencyKey is for one increment',
    'change/increment',
    'if (before?.type !== type || before.amount !== amount) {',
    'if (false) {',
    'quotas',
  ),
  guard(
    'a reset is confirmed',
    'change/reset',
    "withStepUp(either(systemAdmin(), scope('quota:reset')), 'except-services')",
    "either(systemAdmin(), scope('quota:reset'))",
    'quotas',
  ),
  guard('a threshold is told of once', 'notice/thresholds', 'if (threshold === 0) return', '', 'quotas'),
  guard(
    'a team that comes back takes places',
    'capacity/port',
    'if (used + held <= pool.limit) continue',
    'continue',
    'quotas',
  ),
]
