/** Which builds a caller can see. */
import { and, eq, type Placeholder, type SQL } from 'drizzle-orm'
import { notFound } from '../../runtime/errors.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { type BuildJobRow, pluginTables } from '../tables.js'

export const SYSTEM_ADMINS = 'they see the builds of every organization'
/** Why requests that watch the queue do not count as API calls (spec platform 6). */
export const LOOKING = 'a queue is watched while it works'

type Asking = Pick<ReadContext, 'authority'>

/** The jobs that the caller can see: those of the tenant; for a system administrator, all. */
export function seen(context: Asking, db: Db): SQL | undefined {
  const { buildJobs } = pluginTables(db)
  // guard: the-lists-of-builds
  return context.authority.isSuperAdmin ? undefined : eq(buildJobs.orgId, tenantId(context as ReadContext))
}

/** @throws Refusal 404, the same for a job of another organization. */
export async function jobOf(context: Asking, db: Db, id: string): Promise<BuildJobRow> {
  const [job] = await ofOrganization(db, { id, orgId: tenantId(context as ReadContext) })
  if (job === undefined) throw notFound('Build')
  return job
}

/** Prepared, because every follower of a log reads it each second. */
const ofOrganization = prepared((db, value: (name: 'id' | 'orgId') => Placeholder) => {
  const { buildJobs } = pluginTables(db)
  // guard: a-build-by-id
  return db
    .select()
    .from(buildJobs)
    .where(and(eq(buildJobs.id, value('id')), eq(buildJobs.orgId, value('orgId'))))
})

/** A job of any organization, for its builder and for the server itself. @throws Refusal 404. */
export async function anyJob(db: Db, jobId: string): Promise<BuildJobRow> {
  const { buildJobs } = pluginTables(db)
  const [job] = await db.select().from(buildJobs).where(eq(buildJobs.id, jobId))
  if (job === undefined) throw notFound('Build')
  return job
}
