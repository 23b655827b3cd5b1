/** `POST /compliance/scans/:id/cancel`: findings so far are kept; the sweep writes nothing after it. */
import { and, eq, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { complianceTables } from '../tables.js'
import { findScan } from './find.js'
import { FREED } from './open.js'
import { ScanRecord, scanRecord } from './record.js'

export const cancelScan = command({
  name: 'compliance.scan.cancel',
  summary: 'Cancel a running scan',
  description: 'Its entries in the check log stay.',
  http: { method: 'post', path: '/compliance/scans/:id/cancel' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.scan.cancel'],
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ scan: ScanRecord }),
  errors: ['NOT_FOUND', 'SCAN_CONFLICT'],
  async run(context, { path }) {
    const { tx, nowMs, actor } = context
    const orgId = tenantId(context)
    const { scans: t } = complianceTables(tx)
    // One statement: a batch that is being written is still counted, and no batch is written after it.
    // guard: a-scan-to-be-cancelled-is-an-own-one
    const [row] = await tx
      .update(t)
      .set({ status: 'cancelled', cancelledAtMs: nowMs, cancelledBy: actor.id, ...FREED })
      .where(and(eq(t.id, path.id), eq(t.orgId, orgId), inArray(t.status, ['pending', 'running'])))
      .returning()
    if (row === undefined) {
      const { id, status } = await findScan(tx, orgId, path.id)
      throw new Refusal('SCAN_CONFLICT', `the scan is ${status}: only a pending or running one can be cancelled`, {
        details: { scanId: id },
      })
    }
    await context.audit('compliance.scan.cancel', {
      targetType: 'scan',
      targetId: row.id,
      details: { id: row.id, name: row.target },
    })
    return changed({ scan: scanRecord(row) })
  },
})
