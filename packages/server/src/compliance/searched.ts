/** What `GET /search` finds in this domain: rules, policies, records that ever had a finding, and exemptions. */
import { and, asc, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../runtime/ids.js'
import { permission } from '../runtime/operation/access.js'
import { startsWith } from '../runtime/operation/filters.js'
import { nameKey } from '../runtime/operation/name.js'
import {
  type FoundRecord,
  findNamed,
  idIn,
  type SearchAsked,
  type SearchSource,
} from '../runtime/operation/search-source.js'
import type { Db } from '../runtime/store/db.js'
import { fold, isPart, SHORT_SCAN_MAX } from '../runtime/store/search.js'
import { stateAt } from './exemption/record.js'
import { complianceTables } from './tables.js'

const access = permission('compliance:read')

export const COMPLIANCE_SEARCHES: readonly SearchSource[] = [
  { kind: 'rule', access, find: findRules },
  { kind: 'policy', access, find: findPolicies },
  { kind: 'finding', access, find: findRecords },
  { kind: 'exemption', access, find: findExemptions },
]

function findRules(db: Db, asked: SearchAsked): Promise<FoundRecord[]> {
  const { rules: t } = complianceTables(db)
  const columns = { id: t.id, name: t.name, nameKey: t.nameKey, detail: t.target, orgId: t.orgId }
  return findNamed(db, asked.key.orgId, { table: t, ...columns, where: isNull(t.deletedAtMs) }, asked)
}

/** The organization's own policies, and those of the system organization that every organization can copy. */
async function findPolicies(db: Db, asked: SearchAsked): Promise<FoundRecord[]> {
  const { policies: t } = complianceTables(db)
  const columns = { id: t.id, name: t.name, nameKey: t.nameKey, detail: t.version, orgId: t.orgId }
  const live = isNull(t.deletedAtMs)
  const offered = and(live, or(eq(t.isTemplate, true), eq(t.isPublished, true)))
  const own = await findNamed(db, asked.key.orgId, { table: t, ...columns, where: live }, asked)
  if (asked.key.orgId === SYSTEM_ORG_ID) return own
  return [...own, ...(await findNamed(db, SYSTEM_ORG_ID, { table: t, ...columns, where: offered }, asked))]
}

/** Records by the names in their findings, each record once. */
async function findRecords(db: Db, asked: SearchAsked): Promise<FoundRecord[]> {
  const { findings: t } = complianceTables(db)
  const { orgId } = asked.key
  const text = nameKey(asked.text)
  const id = idIn(asked.text)
  // guard: a-search-is-of-the-own-findings
  const own = eq(t.orgId, orgId)
  const records = (is: SQL | undefined) =>
    db
      .selectDistinct({ key: t.entityNameKey, target: t.target, entityId: t.entityId })
      .from(t)
      .where(and(own, is))
      .orderBy(asc(t.entityNameKey), asc(t.target), asc(t.entityId))
      .limit(asked.limit)
  const found = await records(startsWith(t.entityNameKey, text))
  if (id !== null) {
    for (const target of ['plugin', 'pipeline'])
      found.push(...(await records(and(eq(t.target, target), eq(t.entityId, id)))))
  }
  if (found.length < asked.limit) {
    const first = db
      .select({ key: t.entityNameKey, target: t.target, entityId: t.entityId })
      .from(t)
      .where(own)
      .orderBy(asc(t.entityNameKey), asc(t.target), asc(t.entityId))
      .limit(SHORT_SCAN_MAX)
      .as('first_names')
    found.push(
      ...(await db
        .selectDistinct()
        .from(first)
        .where(isPart(db, first.key, text))
        .limit(asked.limit)),
    )
  }
  const distinct = new Map(found.map((each) => [`${each.target} ${each.entityId}`, each]))
  const named: FoundRecord[] = []
  for (const { target, entityId } of distinct.values()) {
    const [row] = await db
      .select({ id: t.entityId, name: t.entityName, detail: t.target })
      .from(t)
      .where(and(own, eq(t.target, target), eq(t.entityId, entityId)))
      .limit(1)
    if (row !== undefined) named.push(row)
  }
  return named
}

/** Searches only the newest exemptions, by the record's name or key, or by the reason. */
async function findExemptions(db: Db, asked: SearchAsked): Promise<FoundRecord[]> {
  const { exemptions: t } = complianceTables(db)
  const text = fold(asked.text)
  // guard: a-search-is-of-the-own-exemptions
  const own = eq(t.orgId, asked.key.orgId)
  const newest = db.select().from(t).where(own).orderBy(desc(t.createdAtMs)).limit(SHORT_SCAN_MAX).as('newest')
  const holds = [newest.entityName, newest.entityKeyText, newest.reason].map((each) =>
    isPart(db, sql`lower(coalesce(${each}, ''))`, text),
  )
  const id = idIn(asked.text)
  const rows = await db
    .select({
      id: newest.id,
      entityName: newest.entityName,
      keyText: newest.entityKeyText,
      entityId: newest.entityId,
      status: newest.status,
      expiresAtMs: newest.expiresAtMs,
    })
    .from(newest)
    .where(or(...holds, id === null ? undefined : or(eq(newest.id, id), eq(newest.entityId, id))))
    .limit(asked.limit)
  return rows.map(({ id: found, entityName, keyText, entityId, ...row }) => ({
    id: found,
    name: entityName ?? keyText ?? entityId ?? found,
    detail: stateAt(row, asked.nowMs),
  }))
}
