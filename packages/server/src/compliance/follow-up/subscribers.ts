/** The job that a change of a published rule queues for its subscribers (spec compliance 6). */
import type { OutboxMessage } from '../../runtime/operation/context.js'
import type { RuleRow } from '../tables.js'

export const KIND = 'compliance.rule-change'

/** The message to queue in the transaction of the change. */
export const ruleChange = ({ id, name, version }: RuleRow, changeType: 'updated' | 'deleted'): OutboxMessage => ({
  kind: KIND,
  payload: { ruleId: id, ruleName: name, version, changeType },
})
