/** Writes `docs/reference/log-events.md` from the table of log events: `npm run generate`. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { logEventsPage } from '../src/runtime/log/events.js'

writeFileSync(fileURLToPath(new URL('../../../docs/reference/log-events.md', import.meta.url)), logEventsPage())
