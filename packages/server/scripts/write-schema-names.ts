/**
 * Adds the names of new schemas to `docs/reference/api-schemas.md`: `npm run generate`. A name that is listed is promised:
 * it goes only by hand, with a changeset.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { listedSchemas, schemaNames, schemasPage } from '../test/support/schema-names.js'

const file = fileURLToPath(new URL('../../../docs/reference/api-schemas.md', import.meta.url))
writeFileSync(file, schemasPage([...new Set([...listedSchemas(), ...(await schemaNames())])]))
