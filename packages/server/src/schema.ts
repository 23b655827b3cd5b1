/** The tables of every domain, in the order in which they are created. */
import { DOMAINS } from './domains.js'
import { httpTables } from './runtime/http/tables.js'
import { jobTables } from './runtime/jobs/tables.js'
import type { AnyTableSet } from './runtime/manifest.js'

export const TABLE_SETS: readonly AnyTableSet[] = [httpTables, jobTables, ...DOMAINS.flatMap(({ tables }) => tables)]
