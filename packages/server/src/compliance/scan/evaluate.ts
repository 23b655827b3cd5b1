/** Reads a page of the inventory with what decides about its records, and evaluates it as every other check does. */
import type { Target } from '@plumbline/engine'
import type { Entity } from '../../runtime/inventory.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { beyondLimits, notEvaluated } from '../check/beyond-limits.js'
import { type Decision, decide, excessOf } from '../check/evaluate.js'
import { ownerOf } from '../check/keep-findings.js'
import { checkRow } from '../check/record.js'
import type { Verdict } from '../check/verdict.js'
import { exemptionsOfMany, keyTextsOf } from '../exemption/active.js'
import type { Held } from '../rule-stamp.js'
import { complianceOf } from '../services.js'
import { sourceOf } from '../sources.js'
import { subjectOf } from '../subject.js'
import type { CheckRow, ScanRow } from '../tables.js'

/** Records that one page reads. Their JSON is parsed in one step, which blocks other requests. */
export const PAGE = 100

export interface InventoryPage {
  readonly target: Target
  readonly entities: readonly Entity[]
  readonly rules: Pick<Decision, 'ruleSet' | 'modes'>
  readonly exemptions: Awaited<ReturnType<typeof exemptionsOfMany>>
}

/** @throws when there is no verdict, for whatever reason: the scan stops then. */
export async function readPage(
  db: Db,
  runtime: Runtime,
  { scan, held }: { readonly scan: ScanRow; readonly held: Held },
  { target, afterId }: { readonly target: Target; readonly afterId: string },
): Promise<InventoryPage> {
  const { filter, orgId } = scan
  const source = sourceOf(runtime, target)
  const entities = await source.page(db, orgId, { afterId, limit: PAGE, ...(filter === null ? {} : { filter }) })
  // Read with each page: a rule that changes during the scan applies to the pages after it.
  const rules = await complianceOf({ runtime }).ruleSets.get(db, held, target)
  return { target, entities, rules, exemptions: await exemptionsOfMany(db, orgId, target, entities) }
}

export interface Evaluated {
  readonly row: CheckRow
  /** The keys by which exemptions name the record. */
  readonly keys: readonly string[]
  readonly ownerId: string | null
  /** Whether a blocking rule, or a warning of one, may be notified. */
  readonly isTold: boolean
}

export function evaluateEntity(
  runtime: Runtime,
  { scan, held }: { readonly scan: ScanRow; readonly held: Held },
  { target, rules, exemptions }: InventoryPage,
  { id, name, attributes }: Entity,
): Evaluated {
  const nowMs = runtime.clock.now()
  const subject = subjectOf(target, { entityId: id, entityName: name }, attributes)
  const decision: Decision = { ...rules, held, subject, exemptions: exemptions.get(id) ?? [] }
  const evaluated = (verdict: Verdict, seen: Entity['attributes']): Evaluated => ({
    keys: keyTextsOf(subject.key),
    ownerId: ownerOf(attributes),
    row: checkRow(
      runtime,
      { orgId: held.orgId, userId: scan.userId, subject, action: 'scan', attributes: seen, verdict, scanId: scan.id },
      nowMs,
    ),
    isTold: verdict.violations.some(
      ({ severity, suppressNotification }) => !suppressNotification && !(verdict.blocked && severity === 'warning'),
    ),
  })
  try {
    const excess = excessOf(target, attributes, runtime.settings)
    return evaluated(excess === null ? decide(decision, attributes, nowMs) : beyondLimits(excess), attributes)
  } catch {
    // A record that cannot be evaluated counts as blocked; the scan continues with the others (spec compliance 10).
    runtime.metrics?.count('compliance_scan_errors_total', { target })
    return evaluated(notEvaluated(), {})
  }
}
