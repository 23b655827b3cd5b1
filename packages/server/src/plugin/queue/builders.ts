/** The builders in the status of the queue. */
import { and, desc, eq, gt, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { BUILDER_GONE_MS } from '../build-job/builders.js'
import { FAULT_REASONS } from '../builder-program/fault-reasons.js'
import { oneOf } from '../manifest/schema.js'
import { pluginTables } from '../tables.js'

const SHOWN_MS = 24 * 3_600_000
const SHOWN_MAX = 100

const FOR_SYSTEM_ADMINS = 'null for everyone but system administrators'

export const BUILDER_STATES = ['working', 'faulty', 'gone'] as const

export const Builders = Type.Array(
  strictObject({
    name: nullable(Type.String({ description: `With its machine; ${FOR_SYSTEM_ADMINS}` })),
    state: oneOf(BUILDER_STATES),
    lastSeenAt: Instant,
    version: nullable(Type.String({ description: `Of the program; ${FOR_SYSTEM_ADMINS}` })),
    capabilities: nullable(
      Type.Array(Type.String(), { description: `Such as its platform, and what limits a build; ${FOR_SYSTEM_ADMINS}` }),
    ),
    building: nullable(
      Type.Array(strictObject({ jobId: Uuid, pluginName: Type.String(), version: Type.String() }), {
        description: `The builds that it holds; ${FOR_SYSTEM_ADMINS}`,
      }),
    ),
    fault: nullable(
      strictObject({
        reason: oneOf<string>(FAULT_REASONS),
        message: nullable(Type.String({ description: `In its words; ${FOR_SYSTEM_ADMINS}` })),
        at: nullable(Instant),
      }),
    ),
  }),
  {
    description:
      'Builders that were seen in the last day, the latest first. One that is `faulty` gave a build back and has ended none since: `fault` says why. One that was not seen for five minutes is `gone`.',
  },
)

/**
 * Names and messages may name machines and folders of the operator, so that organizations see only how many builders
 * there are and why they do not build.
 */
export async function buildersOf(context: Pick<ReadContext, 'db' | 'nowMs' | 'authority'>) {
  const { db, nowMs } = context
  const { builders: t } = pluginTables(db)
  // guard: whose-machines-build
  if (!context.authority.isSuperAdmin) {
    const rows = await db
      .select({ seenAtMs: t.seenAtMs, fault: t.fault, faultAtMs: t.faultAtMs })
      .from(t)
      .where(gt(t.seenAtMs, nowMs - SHOWN_MS))
      .orderBy(desc(t.seenAtMs))
      .limit(SHOWN_MAX)
    const hidden = { name: null, version: null, capabilities: null, building: null }
    return rows.map((row) => ({ ...hidden, ...shared({ ...row, faultMessage: null }, nowMs) }))
  }
  const rows = await db
    .select()
    .from(t)
    .where(gt(t.seenAtMs, nowMs - SHOWN_MS))
    .orderBy(desc(t.seenAtMs), t.name)
    .limit(SHOWN_MAX)
  const { buildJobs } = pluginTables(db)
  const names = rows.map(({ name }) => name)
  const held = await db
    .select({
      jobId: buildJobs.id,
      worker: buildJobs.worker,
      pluginName: buildJobs.pluginName,
      version: buildJobs.version,
    })
    .from(buildJobs)
    .where(and(eq(buildJobs.state, 'active'), inArray(buildJobs.worker, names)))
    .orderBy(buildJobs.id)
  return rows.map((row) => ({
    ...{ name: row.name, version: row.version, capabilities: [...(row.capabilities ?? [])] },
    building: held.flatMap(({ worker, ...build }) => (worker === row.name ? [build] : [])),
    ...shared(row, nowMs),
  }))
}

interface Shared {
  readonly seenAtMs: number
  readonly fault: string | null
  readonly faultMessage: string | null
  readonly faultAtMs: number | null
}

const shared = ({ seenAtMs, fault, faultMessage, faultAtMs }: Shared, nowMs: number) => ({
  state: stateOf(seenAtMs <= nowMs - BUILDER_GONE_MS, fault !== null),
  lastSeenAt: toIso(seenAtMs),
  fault: fault === null ? null : { reason: fault, message: faultMessage, at: toIsoOrNull(faultAtMs) },
})

function stateOf(isGone: boolean, isFaulty: boolean): (typeof BUILDER_STATES)[number] {
  if (isGone) return 'gone'
  return isFaulty ? 'faulty' : 'working'
}
