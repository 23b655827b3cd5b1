/**
 * `PUT /plugins/:id/scan`: stores the report of an external scanner about the image of a plugin. A new report starts
 * the re-check.
 */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { scope } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { announceEntity } from '../../runtime/records/entity.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { Vulnerabilities } from '../image/built-image.js'
import { ownPlugin } from '../plugin/visible.js'
import { pluginTables } from '../tables.js'
import { ReportFault, readReport, type ScanReport } from './report.js'

export const putScan = command({
  name: 'plugin.scan.put',
  summary: 'Report a scan of the image of a plugin',
  description:
    'SARIF 2.1 or `{"scanner", "findings": [{"severity"}]}`. The counts become `builtImage.vulnerabilities`, and the rules check the plugin again. It replaces the last report.',
  http: { method: 'put', path: '/plugins/:id/scan' },
  access: scope('images:scan'),
  tenant: fromHeader,
  audit: ['plugin.update'],
  input: {
    path: Type.Object({ id: Uuid }),
    body: strictObject({
      imageDigest: Type.String({
        pattern: '^sha256:[0-9a-f]{64}$',
        'x-says': 'must be `sha256:` and 64 digits',
        examples: [`sha256:${'0'.repeat(64)}`],
        description: 'The image that was scanned: the plugin may have another one now',
      }),
      report: Type.Record(Type.String(), Type.Unknown(), { description: 'A report, whole' }),
    }),
  },
  output: strictObject({ vulnerabilities: Vulnerabilities }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
  async run(context, { path: { id }, body: { imageDigest, report } }) {
    const { tx, nowMs, actor } = context
    const { scanner, counts } = parsed(report)
    await lockRow(tx, 'plugins', id)
    const row = await ownPlugin(tx, tenantId(context), id)
    // guard: a-scan-is-of-the-image-that-is-there
    if (row.imageDigest !== imageDigest || row.builtImage === null) {
      const is = row.imageDigest === null ? 'has no image' : `now has the image ${row.imageDigest}`
      throw new Refusal('CONFLICT', `${row.name} ${row.version} ${is}: scan that one`)
    }
    const vulnerabilities = { ...counts, scanner, scannedAt: toIso(nowMs) }
    const { plugins } = pluginTables(tx)
    await tx
      .update(plugins)
      .set({
        builtImage: { ...row.builtImage, vulnerabilities },
        revision: row.revision + 1,
        updatedAtMs: nowMs,
        updatedBy: actor.id,
      })
      .where(eq(plugins.id, id))
    await context.audit('plugin.update', {
      targetType: 'plugin',
      targetId: id,
      details: { id, name: row.name, changed: ['builtImage.vulnerabilities'] },
    })
    await announceEntity(context, row.orgId, { target: 'plugin', entityId: id, eventType: 'updated' })
    return changed({ vulnerabilities })
  },
})

/** @throws Refusal 400 with the location in the report. */
function parsed(report: unknown): ScanReport {
  try {
    return readReport(report)
  } catch (error) {
    if (!(error instanceof ReportFault)) throw error
    throw invalidField(`/body/report${error.path}`, error.message, 'scan_report')
  }
}
