/**
 * Writes the migrations of both databases from the tables. Until a first release there is one, the baseline, written again
 * each time; `npm run generate` after a change of tables, and a test holds the files to the tables.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { TABLE_SETS } from '../src/schema.js'
import { baseline } from './baseline.js'

for (const dialect of ['sqlite', 'pg'] as const) {
  const folder = fileURLToPath(new URL(`../migrations/${dialect}/`, import.meta.url))
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/0001-baseline.sql`, await baseline(dialect, TABLE_SETS))
}
