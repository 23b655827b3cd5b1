/**
 * Stores what is wrong with stored records, in the transaction that writes the checks of a scan or of a re-check. Both
 * read the record themselves. A check before a change is not stored here: it evaluates what the caller sent, and the
 * re-check after the change follows it.
 *
 * INVARIANT: the rows say what the newest check of each record found, in whichever order the checks are written.
 */
import { and, eq, gt, inArray, isNull, lte, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import type { ComplianceViolation } from '../../runtime/records/compliance.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockName } from '../../runtime/store/postgres.js'
import { SEVERITY_RANK } from '../rule/record.js'
import { type CheckRow, complianceTables, type FindingRow } from '../tables.js'
import type { Exempted } from './verdict.js'

export interface Look {
  readonly row: CheckRow
  /** The keys by which exemptions name the record. */
  readonly keys: readonly string[]
}

export async function keepFindings(tx: Tx, ids: Runtime['ids'], written: readonly Look[]): Promise<void> {
  const [any] = written
  if (any === undefined) return
  await takeTurn(tx, any.row.orgId)
  const looks = await newest(tx, written)
  const { findings: t } = complianceTables(tx)
  const found = looks.flatMap((look) => rowsOf(ids, look)).sort(inOrder)
  for (let from = 0; from < found.length; from += ROWS_AT_ONCE) await upsert(tx, found.slice(from, from + ROWS_AT_ONCE))
  const open = await openOf(tx, looks)
  for (const { row } of looks) {
    if (row.entityId === null || !open.has(`${row.target} ${row.entityId}`)) continue
    const still = found.filter((each) => each.entityId === row.entityId && each.target === row.target)
    await tx
      .update(t)
      .set({ fixedAtMs: row.createdAtMs, checkedAtMs: row.createdAtMs })
      .where(
        and(
          ofEntity(t, { orgId: row.orgId, target: row.target, entityId: row.entityId }),
          isNull(t.fixedAtMs),
          lte(t.checkedAtMs, row.createdAtMs),
          still.length === 0
            ? undefined
            : notInArray(
                t.ruleId,
                still.map(({ ruleId }) => ruleId),
              ),
        ),
      )
  }
}

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
  const entityIds = looks.flatMap(({ row }) => (row.entityId === null ? [] : [row.entityId]))
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

/** Records among these with an open finding: the others have nothing to close. */
async function openOf(tx: Tx, looks: readonly Look[]): Promise<ReadonlySet<string>> {
  const { findings: t } = complianceTables(tx)
  const [first] = looks
  if (first === undefined) return new Set()
  const entityIds = looks.flatMap(({ row }) => (row.entityId === null ? [] : [row.entityId]))
  const rows = await tx
    .selectDistinct({ target: t.target, entityId: t.entityId })
    .from(t)
    .where(
      and(
        eq(t.orgId, first.row.orgId),
        inArray(t.target, [...new Set(looks.map(({ row }) => row.target))]),
        inArray(t.entityId, entityIds),
        isNull(t.fixedAtMs),
      ),
    )
  return new Set(rows.map(({ target, entityId }) => `${target} ${entityId}`))
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

/** A statement with this many rows stays below the parameter limits of both databases. */
const ROWS_AT_ONCE = 50

type Table = ReturnType<typeof complianceTables>['findings']

const ofEntity = (
  t: Table,
  of: { readonly orgId: string; readonly target: string; readonly entityId: string },
): SQL | undefined => and(eq(t.orgId, of.orgId), eq(t.target, of.target), eq(t.entityId, of.entityId))

/** Every transaction locks the rows in the same order, so that two of them never deadlock. */
const inOrder = (a: FindingRow, b: FindingRow): number => (textOf(a) < textOf(b) ? -1 : 1)
const textOf = ({ target, entityId, ruleId }: FindingRow): string => `${target} ${entityId} ${ruleId}`

function rowsOf(ids: Runtime['ids'], { row, keys }: Look): FindingRow[] {
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

async function upsert(tx: Tx, rows: FindingRow[]): Promise<void> {
  const { findings: t } = complianceTables(tx)
  const set = Object.fromEntries(UPDATED.map((name) => [name, sql`excluded.${sql.identifier(t[name].name)}`]))
  await tx
    .insert(t)
    .values(rows)
    .onConflictDoUpdate({
      target: [t.orgId, t.target, t.entityId, t.ruleId],
      set: { ...set, sinceMs: sql`CASE WHEN ${t.fixedAtMs} IS NULL THEN ${t.sinceMs} ELSE excluded.since_ms END` },
      setWhere: sql`${t.checkedAtMs} <= excluded.checked_at_ms`,
    })
}
