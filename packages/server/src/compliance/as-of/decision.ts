/**
 * Reads the rules and exemptions that decided about an entity at an instant in the past. The rule set is compiled for
 * this request and not cached: rules of the past never reach a check of the present.
 */
import { compileRules } from '@plumbline/engine'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import type { Decision } from '../check/evaluate.js'
import { exemptionsAt, resolveSubject } from '../exemption/active.js'
import { checkToldAt } from '../past/start.js'
import { regexLimits } from '../rule/create.js'
import type { Held } from '../rule-stamp.js'
import type { Subject } from '../subject.js'
import { loadRulesAt } from './load.js'

/** @throws Refusal 409 before the history horizon: the first instant that stored history can answer for. */
export async function readDecisionAt(
  db: Db,
  runtime: Runtime,
  held: Held,
  asked: Subject,
  atMs: number,
): Promise<Decision> {
  const subject = await resolveSubject(db, runtime, held.orgId, asked)
  const { rules, modes } = await loadRulesAt(db, held, subject.target, atMs)
  const exemptions = await exemptionsAt(db, held.orgId, subject, atMs)
  await checkToldAt(db, held, atMs)
  return { ruleSet: compileRules(rules, regexLimits(runtime.settings)), modes, held, subject, exemptions }
}
