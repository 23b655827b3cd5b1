/** Changes of this domain that no command makes: checks, their findings, and the counts of scans. */
import { and, desc, eq } from 'drizzle-orm'
import { permission } from '../runtime/operation/access.js'
import type { Changed, ChangeSource } from '../runtime/operation/change-source.js'
import type { Db } from '../runtime/store/db.js'
import { complianceTables } from './tables.js'

const TOPICS = ['compliance.check', 'compliance.finding', 'compliance.scan'] as const

async function look(db: Db, orgId: string, mark: string | null): Promise<Changed> {
  const { checks, findings, scans } = complianceTables(db)
  const [check] = await db
    .select({ id: checks.id })
    .from(checks)
    .where(eq(checks.orgId, orgId))
    .orderBy(desc(checks.createdAtMs), desc(checks.id))
    .limit(1)
  const [finding] = await db
    .select({ id: findings.id, atMs: findings.lastSeenAtMs })
    .from(findings)
    .where(eq(findings.orgId, orgId))
    .orderBy(desc(findings.lastSeenAtMs), desc(findings.id))
    .limit(1)
  const [scan] = await db
    .select({ id: scans.id, status: scans.status, done: scans.processedEntities })
    .from(scans)
    .where(and(eq(scans.orgId, orgId)))
    .orderBy(desc(scans.createdAtMs))
    .limit(1)
  const now = [
    check?.id ?? '',
    `${finding?.atMs ?? ''} ${finding?.id ?? ''}`,
    `${scan?.id ?? ''} ${scan?.status ?? ''} ${scan?.done ?? ''}`,
  ]
  const before = mark?.split('|')
  return { mark: now.join('|'), topics: before === undefined ? [] : TOPICS.filter((_, at) => before[at] !== now[at]) }
}

export const COMPLIANCE_CHANGES: ChangeSource = {
  name: 'compliance',
  access: () => permission('compliance:read'),
  look,
}
