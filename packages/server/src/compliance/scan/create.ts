/** `POST /compliance/scans`: scans the organization's own inventory, or a part of it. */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { openScan, scanInTheWay } from './open.js'
import { ScanFilter, ScanRecord, ScanTargets, scanRecord } from './record.js'

export const createScan = command({
  name: 'compliance.scan.create',
  summary: 'Check stored plugins and pipelines against the rules in force',
  description:
    'The scan runs in the background. `GET /compliance/audit?scanId=` lists its results; one scan of the same records runs at a time. The system organization is exempt.',
  http: { method: 'post', path: '/compliance/scans', status: 201 },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.scan.create'],
  idempotent: true,
  input: {
    body: strictObject({
      target: ScanTargets,
      filter: Type.Optional(nullable(ScanFilter)),
      dryRun: Type.Optional(
        Type.Boolean({ default: false, description: 'Only counts: no entries in the check log, no notifications' }),
      ),
    }),
  },
  output: strictObject({ scan: ScanRecord }),
  errors: ['SCAN_CONFLICT', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { runtime, tx, actor } = context
    const orgId = tenantId(context)
    const { target, filter = null, dryRun = false } = body
    const scan = await openScan(runtime, context, {
      orgId,
      userId: actor.id,
      target,
      // guard: the-organization-of-a-filter-is-the-callers
      filter: filter === null ? null : { ...filter, orgId },
      dryRun,
      triggeredBy: 'manual',
      slotKey: null,
    })
    if (scan === null) {
      const scanId = await scanInTheWay(tx, orgId, target)
      throw new Refusal('SCAN_CONFLICT', 'a scan of these records is running: wait for it, or cancel it', {
        details: scanId === null ? {} : { scanId },
      })
    }
    await context.audit('compliance.scan.create', {
      targetType: 'scan',
      targetId: scan.id,
      details: { id: scan.id, name: target },
    })
    return changed({ scan: scanRecord(scan) })
  },
})
