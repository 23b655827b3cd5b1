/** Writes `docs/reference/settings.md` from the table of settings; a test holds the page to the table. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { settingsReference } from '../src/runtime/settings/print.js'

writeFileSync(fileURLToPath(new URL('../../../docs/reference/settings.md', import.meta.url)), settingsReference())
