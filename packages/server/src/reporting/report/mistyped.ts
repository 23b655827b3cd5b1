/** A filter by an environment that nobody named, and that is nearly the name of one, is a mistake. */
import { nearestWord } from '@plumbline/engine/words'
import { and, eq, inArray } from 'drizzle-orm'
import { invalidField } from '../../runtime/errors.js'
import type { Db } from '../../runtime/store/db.js'
import { readSettings } from '../dora-settings.js'
import { RUN_ENVIRONMENT } from '../model.js'
import { reportingTables } from '../tables.js'

const NAMES_MAX = 10

/** @throws Refusal 400 that says which one may be meant. */
export async function refuseMistyped(db: Db, orgIds: readonly string[], environment: string | undefined) {
  if (environment === undefined || environment === RUN_ENVIRONMENT) return
  const { reportDeployments: d, reportIncidents: i } = reportingTables(db)
  for (const t of [d, i]) {
    const where = and(inArray(t.orgId, [...orgIds]), eq(t.environment, environment))
    const found = await db.select({ environment: t.environment }).from(t).where(where).limit(1)
    if (found.length > 0) return
  }
  const names = new Set<string>()
  for (const orgId of orgIds) {
    for (const name of (await readSettings(db, orgId)).headlineEnvironments) names.add(name)
  }
  if (names.has(environment)) return
  const deployed = await db
    .selectDistinct({ environment: d.environment })
    .from(d)
    .where(inArray(d.orgId, [...orgIds]))
  for (const row of deployed) names.add(row.environment)
  const near = nearestWord(environment, [...names])
  if (near === null) return
  const some = [...names].sort().slice(0, NAMES_MAX).join(', ')
  throw invalidField(
    '/query/environment',
    `no event names ${environment}; did you mean ${near}? There are: ${some}`,
    'environment',
  )
}
