/** Writes the pages of the specification that are made of the operations and codes: `npm run generate`. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { codesPage, operationsPage } from '../src/runtime/operation/operations-page.js'
import { allOperations } from '../test/support/operations.js'

const page = (name: string) => fileURLToPath(new URL(`../../../docs/specification/${name}`, import.meta.url))
const operations = await allOperations()
writeFileSync(page('operations.md'), operationsPage(operations))
writeFileSync(page('codes.md'), codesPage(operations))
