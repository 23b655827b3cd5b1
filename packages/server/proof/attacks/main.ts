/**
 * `npm run proof -- attacks [--engine sqlite|postgres] [--only TEXT]`: requests that once went through are sent to a server
 * process, and each must get the answer that was ruled for it.
 */
import { ATTACKS } from './attacks.js'
import { FURTHER_ATTACKS } from './further.js'
import { HIDDEN_ATTACKS } from './hidden.js'
import { runCases } from './run.js'
import { STORED_ATTACKS } from './stored.js'

await runCases({
  name: 'attacks',
  cases: [...ATTACKS, ...FURTHER_ATTACKS, ...HIDDEN_ATTACKS, ...STORED_ATTACKS],
  atOnce: 1,
})
