/** Every operation of this domain. */
import type { Operation } from '../runtime/operation/operation.js'
import { listChecks } from './check/list.js'
import { validateOperations } from './check/validate.js'
import { createRule } from './rule/create.js'
import { deleteRule } from './rule/delete.js'
import { getRule } from './rule/get.js'
import { listRuleHistory } from './rule/history.js'
import { listDeletedRules, listRules } from './rule/list.js'
import { purgeRule, restoreRule } from './rule/restore.js'
import { updateRule } from './rule/update.js'

export const complianceOperations: readonly Operation[] = [
  listRules,
  listDeletedRules,
  createRule,
  getRule,
  updateRule,
  deleteRule,
  listRuleHistory,
  restoreRule,
  purgeRule,
  ...validateOperations,
  listChecks,
]
