/** What decided about an entity at an instant of the past. Nothing of it is kept: compiled rules of the past meet no check of the present. */
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

/** @throws Refusal 409 before the first instant that can be told. */
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
