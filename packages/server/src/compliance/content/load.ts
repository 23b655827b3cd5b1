/**
 * Publishes the content in the system organization: at the first boot, and when the operator asks for what a newer
 * version of Plumbline ships.
 *
 * INVARIANT: loading a second time changes nothing. A difference becomes a new version, so an organization that pinned
 * a rule keeps its pinned version. The operator's switches (active, rollout, dates, notifications) stay as they are.
 * Source: spec compliance 19; ADR 57.
 */

import { normaliseRule, type Rule } from '@plumbline/engine'
import { libraryRules } from '@plumbline/rules'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import { type EvidenceSource, outsideRequest, writeEvidence } from '../../runtime/jobs/evidence.js'
import type { Runtime, WriteContext } from '../../runtime/operation/context.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import { sameJson } from '../../runtime/same-json.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { regexLimits } from '../rule/create.js'
import { type AuthoredColumns, authoredColumns, engineRule } from '../rule/record.js'
import { insertRule, writeRule } from '../rule/write.js'
import { lockRules } from '../rule-stamp.js'
import { complianceTables, type RuleRow } from '../tables.js'
import { type LoadedPolicies, publishPolicies } from './load-policies.js'

export interface LoadedContent {
  /** Names of rules. */
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly unchanged: readonly string[]
  /** Not loaded, because a rule of another kind in the system organization has the name. */
  readonly taken: readonly string[]
  /** Not loaded, because the settings do not allow the rule, or do not allow a rule that it depends on. */
  readonly refused: readonly string[]
  readonly policies: LoadedPolicies
}

type Writing = EvidenceSource & Pick<WriteContext, 'tx' | 'enqueue'> & { readonly groupId: string }

/** @param actorId the actor in the audit events, such as `host:ann`. */
export const loadContent = (runtime: Runtime, actorId: string): Promise<LoadedContent> =>
  inSystemOrganization(runtime, actorId, publish)

/** @returns null where the system organization already has rules, deleted ones included: nothing was written. */
export async function loadFirstContent(runtime: Runtime): Promise<LoadedContent | null> {
  // Reads first, so that an ordinary start opens no write transaction.
  if (await runtime.store.tenant(SYSTEM).read(hasRules)) return null
  return inSystemOrganization(runtime, 'system', async (writing) =>
    // Another replica that started at the same moment may have loaded the content meanwhile.
    (await hasRules(writing.tx)) ? null : publish(writing),
  )
}

const SYSTEM = { orgId: SYSTEM_ORG_ID, readableOrgIds: [] }

const inSystemOrganization = <T>(
  runtime: Runtime,
  actorId: string,
  run: (writing: Writing) => Promise<T>,
): Promise<T> =>
  runtime.store.tenant(SYSTEM).write(async (tx) => {
    // A replica that starts meanwhile waits here until the content is written, which takes seconds on a busy machine.
    if (tx.database === 'pg') await tx.rows(sql`SET LOCAL statement_timeout = '60s'`)
    await lockRules(tx, SYSTEM_ORG_ID)
    return run({
      ...outsideRequest(runtime, actorId),
      tx,
      enqueue: (message) => enqueue(tx, runtime, message),
      groupId: runtime.ids.next(),
    })
  })

async function hasRules(db: Db): Promise<boolean> {
  const { rules: t } = complianceTables(db)
  const [row] = await db.select({ id: t.id }).from(t).where(eq(t.orgId, SYSTEM_ORG_ID)).limit(1)
  return row !== undefined
}

type Outcome = Exclude<keyof LoadedContent, 'policies'>

async function publish(writing: Writing): Promise<LoadedContent> {
  const rows = await liveRules(writing.tx)
  const outcomes: Record<Outcome, string[]> = { added: [], changed: [], unchanged: [], taken: [], refused: [] }
  // The library lists a rule after the rules that it depends on.
  for (const { rule } of libraryRules) outcomes[await publishRule(writing, rows, rule)].push(rule.name)
  return { ...outcomes, policies: await publishPolicies(writing, rows) }
}

async function liveRules(tx: Tx): Promise<Map<string, RuleRow>> {
  const { rules: t } = complianceTables(tx)
  const rows = await tx
    .select()
    .from(t)
    .where(and(eq(t.orgId, SYSTEM_ORG_ID), isNotNull(t.liveName)))
  return new Map(rows.map((row) => [row.name, row]))
}

/** @param rows the live rules by name; an added rule is added here, too. */
async function publishRule(writing: Writing, rows: Map<string, RuleRow>, rule: Rule): Promise<Outcome> {
  const before = rows.get(rule.name)
  if (before === undefined) return addRule(writing, rows, rule)
  if (before.scope !== 'published' || before.target !== rule.target) return 'taken'
  // The library defines the whole check: no part of an older check stays.
  const { value: _, ...kept } = engineRule(before)
  const wanted = columns(writing, rows, { ...kept, field: null, operator: null, conditions: null, ...rule })
  if (wanted === null) return 'refused'
  if (isSame(before, wanted)) return 'unchanged'
  const { nowMs, actor } = writing
  const after = { ...before, ...wanted, version: before.version + 1, updatedAtMs: nowMs, updatedBy: actor.id }
  await writeRule(writing, before, after, 'updated')
  rows.set(after.name, after)
  await tell(writing, 'compliance.rule.update', after)
  return 'changed'
}

async function addRule(writing: Writing, rows: Map<string, RuleRow>, rule: Rule): Promise<Outcome> {
  const { nowMs, actor, runtime } = writing
  const id = runtime.ids.next()
  const authored = columns(writing, rows, { ...rule, id, orgId: SYSTEM_ORG_ID })
  if (authored === null) return 'refused'
  const row: RuleRow = {
    ...authored,
    id,
    orgId: SYSTEM_ORG_ID,
    mode: 'enforce',
    forkedFromRuleId: null,
    version: 1,
    createdAtMs: nowMs,
    createdBy: actor.id,
    updatedAtMs: nowMs,
    updatedBy: actor.id,
    ...NOT_DELETED,
  }
  await insertRule(writing, row)
  rows.set(row.name, row)
  await tell(writing, 'compliance.rule.create', row)
  return 'added'
}

/**
 * Turns references by name into ids.
 * @returns null for a rule that the settings do not allow, such as a pattern that is longer than their limit.
 */
function columns({ runtime }: Writing, rows: ReadonlyMap<string, RuleRow>, rule: Rule): AuthoredColumns | null {
  const names = (rule.conditions ?? []).flatMap(({ dependsOnRule }) => dependsOnRule ?? [])
  const rulesInScope = names.flatMap((name) => rows.get(name) ?? []).map(engineRule)
  const { rule: normalised } = normaliseRule(rule, { ...regexLimits(runtime.settings), rulesInScope })
  return normalised === null ? null : authoredColumns(normalised)
}

/** Databases do not keep the order of object keys. */
const isSame = (row: RuleRow, wanted: AuthoredColumns): boolean =>
  Object.entries(wanted).every(([column, value]) => sameJson(row[column as keyof AuthoredColumns], value))

const tell = (
  writing: Writing,
  action: 'compliance.rule.create' | 'compliance.rule.update',
  { id, name }: RuleRow,
): Promise<string> =>
  writeEvidence(writing.tx, writing, action, {
    orgId: SYSTEM_ORG_ID,
    targetType: 'rule',
    targetId: id,
    groupId: writing.groupId,
    details: { name, reason: 'content' },
  })
