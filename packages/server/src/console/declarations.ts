/** What this domain declares: nothing but its name. Files have no rights, and the API below them has its own. */
import { declare } from '../runtime/declare.js'

export const consoleDeclarations = declare({
  name: 'console',
  sections: {},
  permissions: {},
  settings: {},
  buckets: {},
})
