/** Writes the page of the shipped rules: `npm run generate`. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { catalogue } from './catalogue.js'

writeFileSync(fileURLToPath(new URL('../../../docs/reference/rule-catalogue.md', import.meta.url)), catalogue())
