/**
 * `GET /compliance/scans/:id/stream`: sends the scan each time its counts change, until it ends. Each event is the
 * whole state, so that a client that reconnects misses nothing.
 */
import Type, { type Static } from 'typebox'
import { stillMay } from '../../identity/index.js'
import { permission } from '../../runtime/operation/access.js'
import { type StreamContext, tenantId } from '../../runtime/operation/context.js'
import { fromHeader, type StreamEvent, stream } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { ScanRow } from '../tables.js'
import { findScan } from './find.js'
import { isOver, ScanRecord, scanRecord } from './record.js'

/** As often as the counts change (spec compliance 10). */
const LOOK_EVERY_MS = 250

const Told = strictObject({ scan: ScanRecord })

export const followScan = stream({
  name: 'compliance.scan.follow',
  summary: 'Follow a scan: `scan.progress` when its counts change, `scan.end` when it ends',
  description: 'Server-sent events. Each carries the whole scan; after `scan.end` the stream ends.',
  http: { method: 'get', path: '/compliance/scans/:id/stream' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }) },
  output: Told,
  errors: ['NOT_FOUND'],
  async open(context, { path }) {
    const orgId = tenantId(context)
    const look = () => context.read((db) => findScan(db, orgId, path.id))
    return follow(context, await look(), look)
  },
})

async function* follow(
  context: StreamContext,
  first: ScanRow,
  look: () => Promise<ScanRow>,
): AsyncGenerator<StreamEvent<Static<typeof Told>>> {
  let told = ''
  for (let row = first; !context.signal.aborted; row = await look()) {
    const id = `${row.status}-${row.processedEntities}`
    if (isOver(row)) return yield { id, event: 'scan.end', data: { scan: scanRecord(row) } }
    if (id !== told) yield { id, event: 'scan.progress', data: { scan: scanRecord(row) } }
    told = id
    await pause(context.signal)
    if (!(await stillMay(context, 'compliance:read'))) return
  }
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, LOOK_EVERY_MS)
    if (signal.aborted) done()
    else signal.addEventListener('abort', done)
  })
