/** What a change of a pipeline decides for events that wait: whether it is there, and which repository it builds from. */
import { isDeepStrictEqual } from 'node:util'
import type { WriteContext } from '../../runtime/operation/context.js'
import { findPort } from '../../runtime/port.js'
import { registrationPort } from '../../runtime/records/deployed-pipelines.js'
import { findRegistered } from '../registry-rows.js'
import { repositoryKeys } from '../repository.js'
import type { PipelineRow } from '../tables.js'

/** Called in the transaction of the change, after it was written. */
export async function tellDeployed(
  { tx, runtime, nowMs }: Pick<WriteContext, 'tx' | 'runtime' | 'nowMs'>,
  stored: PipelineRow,
  row: PipelineRow,
): Promise<void> {
  const isBack = stored.deletedAtMs !== null && row.deletedAtMs === null
  if (!isBack && isDeepStrictEqual(builtFrom(stored), builtFrom(row))) return
  const listener = findPort(runtime, registrationPort)
  if (listener === undefined || (await findRegistered(tx, row.orgId, row.id)) === null) return
  if (isBack) return listener.registered(tx, row.orgId, row.id, nowMs)
  // guard: events-of-a-repository-follow-who-builds-from-it
  await listener.rebuilt(tx, row.orgId, nowMs)
}

const builtFrom = ({ deletedAtMs, props }: PipelineRow): readonly string[] =>
  deletedAtMs === null ? repositoryKeys(props) : []
