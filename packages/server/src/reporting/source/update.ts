/** `PUT /reports/sources/:id` */
import { and, eq, ne } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { sameJson } from '../../runtime/same-json.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { replaySource } from '../delivery/take.js'
import { reportingTables } from '../tables.js'
import { nameTaken } from './create.js'
import { checkedMapping, findSource, Mapping, SourceName, SourcePath, SourceRecord, sourceRecord } from './record.js'

export const updateSource = command({
  name: 'reporting.source.update',
  summary: 'Rename a source, map its pipelines, switch it off or on',
  description: 'Fields that are left out stay. Events that wait for a pipeline of the new mapping are counted at once.',
  http: { method: 'put', path: '/reports/sources/:id' },
  access: permission('org:settings'),
  tenant: fromHeader,
  audit: ['reports.source.update'],
  input: {
    path: SourcePath,
    body: strictObject({
      name: Type.Optional(SourceName),
      mapping: Type.Optional(Mapping),
      enabled: Type.Optional(Type.Boolean()),
    }),
  },
  output: strictObject({ source: SourceRecord, told: Type.Integer({ minimum: 0, description: 'Events that waited' }) }),
  errors: ['NOT_FOUND', 'DUPLICATE_ENTRY'],
  async run(context, { path: { id }, body }) {
    const { tx, runtime, nowMs } = context
    const orgId = tenantId(context)
    await lockRow(tx, 'organizations', orgId)
    const before = await findSource(tx, orgId, id)
    const row = {
      ...before,
      name: body.name ?? before.name,
      isEnabled: body.enabled ?? before.isEnabled,
      mapping: body.mapping === undefined ? before.mapping : await checkedMapping(tx, runtime, orgId, body.mapping),
    }
    if (sameJson(before, row)) return unchanged({ source: sourceRecord(runtime, before), told: 0 })
    const { reportSources: t } = reportingTables(tx)
    const [other] = await tx
      .select({ id: t.id })
      .from(t)
      .where(and(eq(t.orgId, orgId), eq(t.name, row.name), ne(t.id, id)))
    if (other !== undefined) throw nameTaken(row.name)
    const { name, isEnabled, mapping } = row
    await tx
      .update(t)
      .set({ name, isEnabled, mapping, updatedMs: nowMs })
      .where(and(eq(t.orgId, orgId), eq(t.id, id)))
    const told = await replaySource(tx, { runtime, source: row, nowMs })
    await context.audit('reports.source.update', {
      targetType: 'report-source',
      targetId: id,
      details: { name, changed: Object.keys(body) },
    })
    return changed({ source: sourceRecord(runtime, { ...row, updatedMs: nowMs }), told })
  },
})
