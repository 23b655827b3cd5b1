/**
 * The state of a finding: fixed if the last check of its record no longer found it; else exempted or requested, by the
 * exemptions at this instant; else open. Exemptions are read together with the finding, so that an expiry takes effect
 * without a write.
 */
import type { Target } from '@plumbline/engine'
import { and, count, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { anyNameContains, equals } from '../../runtime/operation/filters.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { ComplianceViolation } from '../../runtime/records/compliance.js'
import type { Db } from '../../runtime/store/db.js'
import { FailureRecords } from '../check/verdict.js'
import { isVisible } from '../rule/find.js'
import { hasWord } from '../rule/list.js'
import { Target as TargetSchema } from '../rule/schema.js'
import type { Held } from '../rule-stamp.js'
import { complianceTables, type FindingRow } from '../tables.js'

export const STATES = ['open', 'requested', 'exempted', 'fixed'] as const
export type FindingState = (typeof STATES)[number]

const Count = Type.Integer({ minimum: 0 })
export const FindingStates = strictObject({ open: Count, requested: Count, exempted: Count, fixed: Count })
export const Severities = strictObject({ warning: Count, error: Count, critical: Count })

export const FindingRecord = strictObject({
  id: Uuid,
  state: Type.Enum([...STATES]),
  exemptionId: nullable(Type.String({ description: 'Of the requested or approved exemption' })),
  target: TargetSchema,
  entityId: Type.String(),
  entityName: Type.String(),
  ruleId: Type.String(),
  ruleName: Type.String(),
  description: nullable(Type.String()),
  severity: Type.String(),
  declaredSeverity: nullable(Type.String({ description: 'The severity of the rule, when its rollout says `warn`' })),
  source: Type.Enum(['own', 'inherited', 'subscribed']),
  policyIds: Type.Array(Type.String()),
  ownerId: nullable(Type.String({ description: 'The user or team that owned the record at its last check' })),
  field: Type.String(),
  operator: nullable(Type.String()),
  expected: Type.Unknown({ description: 'Redacted and cut short where it is sensitive or long' }),
  actual: Type.Unknown({ description: 'As `expected`; null when absent' }),
  message: Type.String(),
  failures: Type.Optional(FailureRecords),
  issue: nullable(Type.String({ description: 'Why the rule could not be evaluated' })),
  checkId: Type.String({ description: 'Of the last check that found it' }),
  firstSeenAt: Instant,
  since: Type.String({ format: 'date-time', description: 'Since when it has been present without interruption' }),
  lastSeenAt: Instant,
  checkedAt: Type.String({ format: 'date-time', description: 'Of the last check of the record' }),
  fixedAt: nullable(Instant),
})

/** The finding as stored. Its state is not stored: a reader derives it from the exemptions. */
export function storedFinding(row: FindingRow) {
  const violation = row.violation as ComplianceViolation
  return {
    id: row.id,
    target: row.target as Target,
    entityId: row.entityId,
    entityName: row.entityName,
    ruleId: row.ruleId,
    ruleName: row.ruleName,
    description: violation.description,
    severity: row.severity,
    declaredSeverity: violation.declaredSeverity ?? null,
    source: violation.source,
    policyIds: [...violation.policyIds],
    ownerId: row.ownerId,
    field: violation.field,
    operator: violation.operator,
    expected: violation.expectedValue,
    actual: violation.actualValue,
    message: violation.message,
    ...(violation.failures === undefined ? {} : { failures: violation.failures }),
    issue: violation.issue,
    checkId: row.checkId,
    firstSeenAt: toIso(row.firstSeenAtMs),
    since: toIso(row.sinceMs),
    lastSeenAt: toIso(row.lastSeenAtMs),
    checkedAt: toIso(row.checkedAtMs),
    fixedAt: toIsoOrNull(row.fixedAtMs),
  }
}

export interface StatedFinding {
  readonly row: FindingRow
  readonly state: string
  readonly exemptionId: string | null
}

export const findingRecord = ({ row, state, exemptionId }: StatedFinding): Static<typeof FindingRecord> =>
  ({ ...storedFinding(row), state, exemptionId }) as unknown as Static<typeof FindingRecord>

export const FindingFilters = Type.Object({
  state: Type.Optional(Type.Enum([...STATES])),
  severity: Type.Optional(Type.Enum(['warning', 'error', 'critical'])),
  target: Type.Optional(TargetSchema),
  ruleId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  entityId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  source: Type.Optional(Type.Enum(['own', 'inherited', 'subscribed'])),
  ownerId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Of a user or team; or `unowned`' })),
  control: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 90,
      description: 'Of rules with the tag `control:` and this, such as `6.5.2`',
    }),
  ),
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name of the rule or of the record' }),
  ),
})
export type FindingFilters = Static<typeof FindingFilters>

interface Asked extends Pick<Held, 'orgId'> {
  readonly nowMs: number
}

/** The exemptions of the organization that are approved or requested at this instant. */
const decidesNow = (e: ReturnType<typeof complianceTables>['exemptions'], { orgId, nowMs }: Asked): SQL | undefined =>
  and(
    eq(e.orgId, orgId),
    inArray(e.status, ['approved', 'pending']),
    or(isNull(e.expiresAtMs), gt(e.expiresAtMs, nowMs)),
  )

/** The state as an SQL expression, with the exemption that determines it. */
export async function stateOf(
  db: Db,
  { orgId, nowMs }: Asked,
): Promise<{ state: SQL<string>; exemptionId: SQL<string | null> }> {
  const { findings: t, exemptions: e } = complianceTables(db)
  const decides = decidesNow(e, { orgId, nowMs })
  const [any] = await db.select({ id: e.id }).from(e).where(decides).limit(1)
  if (any === undefined) {
    return { state: sql`CASE WHEN ${t.fixedAtMs} IS NULL THEN 'open' ELSE 'fixed' END`, exemptionId: sql`NULL` }
  }
  const covers = and(
    decides,
    eq(e.ruleId, t.ruleId),
    eq(e.entityType, t.target),
    or(eq(e.entityId, t.entityId), eq(e.entityKeyText, t.keyText), eq(e.entityKeyText, t.anyKeyText)),
  )
  const oldest = (status: string): SQL =>
    sql`(SELECT min(${e.id}) FROM ${e} WHERE ${and(covers, eq(e.status, status))})`
  const [approved, pending] = [oldest('approved'), oldest('pending')]
  return {
    state: sql`CASE WHEN ${t.fixedAtMs} IS NOT NULL THEN 'fixed' WHEN ${approved} IS NOT NULL THEN 'exempted' WHEN ${pending} IS NOT NULL THEN 'requested' ELSE 'open' END`,
    exemptionId: sql`CASE WHEN ${t.fixedAtMs} IS NOT NULL THEN NULL ELSE coalesce(${approved}, ${pending}) END`,
  }
}

/** The findings of the organization that match the filters. */
export function findingsWanted(db: Db, held: Held, wanted: FindingFilters, state: SQL<string>): SQL | undefined {
  const { findings: t } = complianceTables(db)
  const { orgId } = held
  return and(
    // guard: findings-as-states-of-the-own-organization
    eq(t.orgId, orgId),
    equals(t.severity, wanted.severity),
    equals(t.target, wanted.target),
    equals(t.ruleId, wanted.ruleId),
    equals(t.entityId, wanted.entityId),
    equals(t.source, wanted.source),
    wanted.ownerId === 'unowned' ? isNull(t.ownerId) : equals(t.ownerId, wanted.ownerId),
    wanted.control === undefined ? undefined : inArray(t.ruleId, rulesOfControl(db, held, wanted.control)),
    anyNameContains([t.ruleNameKey, t.entityNameKey], wanted.q),
    wanted.state === undefined ? undefined : byState(t, wanted.state, state),
  )
}

/** A rule says with a tag which control it stands for. */
export const CONTROL_TAG = 'control:'

function rulesOfControl(db: Db, held: Held, control: string) {
  const { rules: r } = complianceTables(db)
  const isTagged = hasWord(db, r.tagText, `${CONTROL_TAG}${control}`)
  return db
    .select({ id: r.id })
    .from(r)
    .where(and(isVisible(r, held), isTagged))
}

const byState = (
  t: ReturnType<typeof complianceTables>['findings'],
  wanted: FindingState,
  state: SQL<string>,
): SQL | undefined =>
  wanted === 'fixed' ? isNotNull(t.fixedAtMs) : and(isNull(t.fixedAtMs), sql`${state} = ${wanted}`)

export interface Facets {
  readonly total: number
  readonly states: Static<typeof FindingStates>
  readonly severities: Static<typeof Severities>
  /** Counts of open findings only. */
  readonly openSeverities: Static<typeof Severities>
  readonly targets: { plugin: number; pipeline: number }
}

/** Counts of findings by state, severity and target. */
export async function readFacets(db: Db, asked: Held & Asked, wanted: FindingFilters = {}): Promise<Facets> {
  const { findings: t } = complianceTables(db)
  const { state } = await stateOf(db, asked)
  const stated = db
    .select({ state: sql<string>`${state}`.as('state'), severity: t.severity, target: t.target })
    .from(t)
    .where(findingsWanted(db, asked, wanted, state))
    .as('stated')
  const rows = await db
    .select({ state: sql<string>`${stated.state}`, severity: stated.severity, target: stated.target, rows: count() })
    .from(stated)
    .groupBy(sql`${stated.state}`, stated.severity, stated.target)
  const facets = {
    total: 0,
    states: { open: 0, requested: 0, exempted: 0, fixed: 0 } as Record<string, number>,
    severities: { warning: 0, error: 0, critical: 0 } as Record<string, number>,
    openSeverities: { warning: 0, error: 0, critical: 0 } as Record<string, number>,
    targets: { plugin: 0, pipeline: 0 } as Record<string, number>,
  }
  const add = (counts: Record<string, number>, name: string, by: number): void => {
    counts[name] = (counts[name] ?? 0) + by
  }
  for (const row of rows) {
    const by = Number(row.rows)
    facets.total += by
    add(facets.states, row.state, by)
    add(facets.severities, row.severity, by)
    add(facets.targets, row.target, by)
    if (row.state === 'open') add(facets.openSeverities, row.severity, by)
  }
  return facets as unknown as Facets
}

export interface PresentFindings {
  open: number
  requested: number
  exempted: number
}

/**
 * Counts of the findings that are not fixed, by rule. All are counted from an index alone. Only those of rules with
 * exemptions are read with their state.
 */
export async function presentByRule(db: Db, asked: Asked): Promise<ReadonlyMap<string, PresentFindings>> {
  const { findings: t, exemptions: e } = complianceTables(db)
  // guard: the-coverage-of-the-own-organization
  const isPresent = and(eq(t.orgId, asked.orgId), isNull(t.fixedAtMs))
  const all = await db.select({ ruleId: t.ruleId, rows: count() }).from(t).where(isPresent).groupBy(t.ruleId)
  const { state } = await stateOf(db, asked)
  const withExemptions = db.select({ ruleId: e.ruleId }).from(e).where(decidesNow(e, asked))
  const stated = db
    .select({ ruleId: t.ruleId, state: sql<string>`${state}`.as('state') })
    .from(t)
    .where(and(isPresent, inArray(t.ruleId, withExemptions)))
    .as('stated')
  const waived = await db
    .select({ ruleId: stated.ruleId, state: sql<keyof PresentFindings>`${stated.state}`, rows: count() })
    .from(stated)
    .where(sql`${stated.state} <> 'open'`)
    .groupBy(stated.ruleId, sql`${stated.state}`)
  const counts = new Map(all.map(({ ruleId, rows }) => [ruleId, { open: Number(rows), requested: 0, exempted: 0 }]))
  for (const { ruleId, state: name, rows } of waived) {
    const of = counts.get(ruleId)
    if (of === undefined) continue
    of.open -= Number(rows)
    of[name] += Number(rows)
  }
  return counts
}
