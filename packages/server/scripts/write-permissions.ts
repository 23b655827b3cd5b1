/** Writes the permission table of the documentation from the operations: `npm run generate`. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { permissionTable } from '../src/runtime/operation/permission-table.js'
import { allOperations } from '../test/support/operations.js'

writeFileSync(
  fileURLToPath(new URL('../../../docs/reference/permissions.md', import.meta.url)),
  permissionTable(await allOperations()),
)
