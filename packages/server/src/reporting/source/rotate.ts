/** `POST /reports/sources/:id/rotate`: a new secret; the previous one stays valid for another 24 h, or ends at once. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { reportingTables, type SourceRow } from '../tables.js'
import { findSource, SourcePath, sourceRecord, stepsOf, WithSecret } from './record.js'
import { newSourceSecret, PREVIOUS_MS, sealSecret } from './secret.js'

export const rotateSource = command({
  name: 'reporting.source.rotate',
  summary: 'Give a source a new secret, shown once; the old one is valid for another 24 hours',
  description:
    '`endPrevious=true` ends the old secret at once, for one that somebody has who should not: deliveries with it are refused until the sender has the new one.',
  http: { method: 'post', path: '/reports/sources/:id/rotate' },
  access: permission('org:settings'),
  tenant: fromHeader,
  audit: ['reports.source.rotate'],
  secretOutput: true,
  input: {
    path: SourcePath,
    query: Type.Object({
      endPrevious: Type.Optional(Type.Boolean({ description: 'The old secret ends at once' })),
    }),
  },
  output: WithSecret,
  errors: ['NOT_FOUND'],
  async run(context, { path: { id }, query: { endPrevious = false } }) {
    const { tx, runtime, nowMs } = context
    const orgId = tenantId(context)
    await lockRow(tx, 'organizations', orgId)
    const before = await findSource(tx, orgId, id)
    const secret = newSourceSecret()
    const next: SourceRow = {
      ...before,
      ...sealSecret(runtime, before, secret),
      // guard: a-secret-that-leaked-ends-at-once
      ...(endPrevious
        ? { sealedPrevious: null, previousUntilMs: null }
        : { sealedPrevious: before.sealedSecret, previousUntilMs: nowMs + PREVIOUS_MS }),
      updatedMs: nowMs,
    }
    const { reportSources: t } = reportingTables(tx)
    await tx
      .update(t)
      .set(next)
      .where(and(eq(t.orgId, orgId), eq(t.id, id)))
    await context.audit('reports.source.rotate', {
      targetType: 'report-source',
      targetId: id,
      details: { name: before.name },
    })
    const source = sourceRecord(runtime, next)
    return changed({ source, secret, steps: stepsOf(source.format, source.url, secret) })
  },
})
