/**
 * Stores what is wrong with stored records, in the transaction that writes the checks of a scan or of a re-check. Both
 * read the record themselves. A check before a change is not stored here: it evaluates what the caller sent, and the
 * re-check after the change follows it.
 *
 * INVARIANT: the rows say what the newest check of each record found, in whichever order the checks are written.
 */
import type { Attributes } from '@plumbline/engine'
import { and, eq, gt, inArray, isNull, lte, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import type { ComplianceViolation } from '../../runtime/records/compliance.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockName } from '../../runtime/store/postgres.js'
import { excludedOf, type OnConflict, upsertRows } from '../../runtime/store/prepared.js'
import { SEVERITY_RANK } from '../rule/record.js'
import { type CheckRow, complianceTables, type FindingRow } from '../tables.js'
import type { Exempted } from './verdict.js'

export interface Look {
  readonly row: CheckRow
  /** The keys by which exemptions name the record. */
  readonly keys: readonly string[]
  /** Null for a record that nobody owns. */
  readonly ownerId: string | null
}

/** The owner in the attributes of a record. */
export const ownerOf = ({ ownerId }: Attributes): string | null => (typeof ownerId === 'string' ? ownerId : null)

export async function keepFindings(tx: Tx, ids: Runtime['ids'], written: readonly Look[]): Promise<void> {
  const [any] = written
  if (any === undefined) return
  await takeTurn(tx, any.row.orgId)
  const looks = await newest(tx, written)
  const { findings: t } = complianceTables(tx)
  const found = looks.flatMap((look) => rowsOf(ids, look)).sort(inOrder)
  await upsertRows(tx, t, found, [t.orgId, t.target, t.entityId, t.ruleId], SEEN_AGAIN)
  await closeOthers(tx, looks)
}

/** Closes the open findings of these records that their checks did not find again. */
async function closeOthers(tx: Tx, looks: readonly Look[]): Promise<void> {
  const left = await leftOpen(tx, looks)
  if (left.length === 0) return
  const { findings: t } = complianceTables(tx)
  for (const { row } of looks) {
    const ids = left.filter(({ entityId, target }) => entityId === row.entityId && target === row.target)
    if (ids.length === 0) continue
    await tx
      .update(t)
      .set({ fixedAtMs: row.createdAtMs, checkedAtMs: row.createdAtMs })
      .where(
        and(
          inArray(
            t.id,
            ids.map(({ id }) => id),
          ),
          isNull(t.fixedAtMs),
          lte(t.checkedAtMs, row.createdAtMs),
        ),
      )
  }
}

/** The open findings of these records that are of another check: what a check finds again is of that check. */
async function leftOpen(tx: Tx, looks: readonly Look[]) {
  const { findings: t } = complianceTables(tx)
  const [first] = looks
  if (first === undefined) return []
  return tx
    .select({ id: t.id, target: t.target, entityId: t.entityId })
    .from(t)
    .where(
      and(
        eq(t.orgId, first.row.orgId),
        inArray(t.target, [...new Set(looks.map(({ row }) => row.target))]),
        inArray(t.entityId, entityIdsOf(looks)),
        isNull(t.fixedAtMs),
        notInArray(
          t.checkId,
          looks.map(({ row }) => row.id),
        ),
      ),
    )
}

const entityIdsOf = (looks: readonly Look[]): string[] =>
  looks.flatMap(({ row }) => (row.entityId === null ? [] : [row.entityId]))

/** Two overlapping transactions would not see each other's checks, so that the older one could be written last. */
async function takeTurn(tx: Tx, orgId: string): Promise<void> {
  // guard: looks-of-one-organization-take-turns
  await lockName(tx, `findings ${orgId}`)
}

/**
 * The checks that no newer check of the same record overtook, and no deletion: a scan may write what it read before a
 * change was re-checked.
 */
async function newest(tx: Tx, looks: readonly Look[]): Promise<readonly Look[]> {
  const { checks: t, entityStates: states } = complianceTables(tx)
  const [first] = looks
  if (first === undefined) return []
  const fromMs = Math.min(...looks.map(({ row }) => row.createdAtMs))
  const entityIds = entityIdsOf(looks)
  const later = await tx
    .select({ target: t.target, entityId: t.entityId, createdAtMs: t.createdAtMs })
    .from(t)
    .where(
      and(
        eq(t.orgId, first.row.orgId),
        inArray(t.entityId, entityIds),
        gt(t.createdAtMs, fromMs),
        inArray(t.action, ['recheck', 'scan']),
      ),
    )
  // guard: a-look-at-what-was-deleted-since-is-not-kept
  const gone = await tx
    .select({ target: states.target, entityId: states.entityId, createdAtMs: states.eventAtMs })
    .from(states)
    .where(
      and(
        eq(states.orgId, first.row.orgId),
        inArray(states.entityId, entityIds),
        gt(states.eventAtMs, fromMs),
        isNull(states.result),
      ),
    )
  // guard: a-look-that-was-overtaken-is-not-kept
  return looks.filter(
    ({ row }) =>
      ![...later, ...gone].some(
        (each) => each.entityId === row.entityId && each.target === row.target && each.createdAtMs > row.createdAtMs,
      ),
  )
}

/** Closes the findings of a record that was deleted. */
export async function closeFindings(
  tx: Tx,
  entity: { readonly orgId: string; readonly target: string; readonly entityId: string },
  nowMs: number,
): Promise<void> {
  await takeTurn(tx, entity.orgId)
  const { findings: t } = complianceTables(tx)
  await tx
    .update(t)
    .set({ fixedAtMs: nowMs, checkedAtMs: nowMs })
    .where(and(ofEntity(t, entity), isNull(t.fixedAtMs)))
}

type Table = ReturnType<typeof complianceTables>['findings']

const ofEntity = (
  t: Table,
  of: { readonly orgId: string; readonly target: string; readonly entityId: string },
): SQL | undefined => and(eq(t.orgId, of.orgId), eq(t.target, of.target), eq(t.entityId, of.entityId))

/** Every transaction locks the rows in the same order, so that two of them never deadlock. */
const inOrder = (a: FindingRow, b: FindingRow): number => (textOf(a) < textOf(b) ? -1 : 1)
const textOf = ({ target, entityId, ruleId }: FindingRow): string => `${target} ${entityId} ${ruleId}`

function rowsOf(ids: Runtime['ids'], { row, keys, ownerId }: Look): FindingRow[] {
  const { entityId } = row
  if (entityId === null) return []
  const violations = row.violations as readonly ComplianceViolation[]
  const exempted = (row.exempted ?? []) as readonly Exempted[]
  const byRule = new Map<string, ComplianceViolation>()
  // A violation that an exemption covers is stored too: the exemptions are applied when the finding is read.
  for (const each of [...violations, ...exempted.map(({ violation }) => violation)]) {
    if (!byRule.has(each.ruleId)) byRule.set(each.ruleId, each)
  }
  const [keyText = null, anyKeyText = null] = keys
  const atMs = row.createdAtMs
  return [...byRule.values()].map((violation) => ({
    id: ids.next(),
    orgId: row.orgId,
    target: row.target,
    entityId,
    entityName: row.entityName ?? entityId,
    entityNameKey: nameKey(row.entityName ?? entityId),
    keyText,
    anyKeyText,
    ownerId,
    ruleId: violation.ruleId,
    ruleName: violation.ruleName,
    ruleNameKey: nameKey(violation.ruleName),
    severity: violation.severity,
    severityRank: SEVERITY_RANK[violation.severity] ?? 2,
    source: violation.source,
    violation,
    checkId: row.id,
    action: row.action,
    scanId: row.scanId,
    firstSeenAtMs: atMs,
    sinceMs: atMs,
    lastSeenAtMs: atMs,
    checkedAtMs: atMs,
    fixedAtMs: null,
  }))
}

const UPDATED = [
  'entityName',
  'entityNameKey',
  'keyText',
  'anyKeyText',
  'ownerId',
  'ruleName',
  'ruleNameKey',
  'severity',
  'severityRank',
  'source',
  'violation',
  'checkId',
  'action',
  'scanId',
  'lastSeenAtMs',
  'checkedAtMs',
  'fixedAtMs',
] as const

/** A check that is older than the stored one changes nothing. */
const SEEN_AGAIN: OnConflict<Table> = {
  set: (t) => ({
    ...excludedOf(t, UPDATED),
    sinceMs: sql`CASE WHEN ${t.fixedAtMs} IS NULL THEN ${t.sinceMs} ELSE excluded.since_ms END`,
  }),
  where: (t) => sql`${t.checkedAtMs} <= excluded.checked_at_ms`,
}
