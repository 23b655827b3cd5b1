/** This domain declares only its name. Files need no permissions, and the API that they call has its own. */
import { declare } from '../runtime/declare.js'

export const consoleDeclarations = declare({
  name: 'console',
  sections: {},
  permissions: {},
  settings: {},
  buckets: {},
})
