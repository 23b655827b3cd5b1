/**
 * `npm run proof -- findings [--engine sqlite|postgres] [--only TEXT]`: the requests by which reviewers of the product found
 * what did not hold, sent again. Each has the number of its finding and gets the answer that was ruled for it.
 */
import { runCases } from '../attacks/run.js'
import { ACCOUNT_FINDINGS } from './accounts.js'
import { RECORD_FINDINGS } from './records.js'
import { RULE_FINDINGS } from './rules.js'

await runCases({
  name: 'findings',
  cases: [...RULE_FINDINGS, ...RECORD_FINDINGS, ...ACCOUNT_FINDINGS],
  atOnce: 6,
  // Else every organization has every feature.
  env: { BILLING_ENABLED: 'true' },
})
