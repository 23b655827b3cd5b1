/**
 * Finds the pipeline of a delivery: by the source's own mapping, else the one live pipeline that builds from the
 * repository.
 */
import type { Runtime } from '../../runtime/operation/context.js'
import { findPort } from '../../runtime/port.js'
import { deployedPipelinesPort } from '../../runtime/records/deployed-pipelines.js'
import type { Db } from '../../runtime/store/db.js'
import type { SourceRow } from '../tables.js'
import { namesOf } from './common-form.js'

/** @returns null for an unknown name, and for a repository that several pipelines build from. */
export async function pipelineOf(
  db: Db,
  runtime: Runtime,
  { orgId, mapping }: Pick<SourceRow, 'orgId' | 'mapping'>,
  ref: string,
): Promise<string | null> {
  const names = namesOf(ref)
  const listed = names.find((name) => Object.hasOwn(mapping, name))
  if (listed !== undefined) return mapping[listed] as string
  const port = findPort(runtime, deployedPipelinesPort)
  for (const name of names) {
    const building = (await port?.building(db, orgId, name)) ?? []
    // guard: of-several-pipelines-none-is-guessed
    if (building.length === 1) return building[0] as string
  }
  return mapping['*'] ?? null
}
