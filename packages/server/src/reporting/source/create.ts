/** `POST /reports/sources`: creates the address and the secret for a forge or an engine, with setup instructions. */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { choice, strictObject } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { SOURCE_FORMATS } from '../formats.js'
import { reportingTables, type SourceRow } from '../tables.js'
import {
  checkedMapping,
  Mapping,
  SOURCES_MAX,
  SourceName,
  sourceRecord,
  sourcesOf,
  stepsOf,
  WithSecret,
} from './record.js'
import { newSourceSecret, sealSecret } from './secret.js'

export const createSource = command({
  name: 'reporting.source.create',
  summary: 'Create a source of deliveries, such as a forge; its secret is shown once',
  description: 'The answer contains the values to paste at the sender.',
  http: { method: 'post', path: '/reports/sources', status: 201 },
  access: permission('org:settings'),
  tenant: fromHeader,
  audit: ['reports.source.create'],
  idempotent: true,
  secretOutput: true,
  input: {
    body: strictObject({ name: SourceName, format: choice(SOURCE_FORMATS), mapping: Type.Optional(Mapping) }),
  },
  output: WithSecret,
  errors: ['CONFLICT', 'DUPLICATE_ENTRY'],
  async run(context, { body: { name, format, mapping = {} } }) {
    const { tx, runtime, nowMs } = context
    const orgId = tenantId(context)
    await lockRow(tx, 'organizations', orgId)
    if ((await sourcesOf(tx, orgId)).length >= SOURCES_MAX) {
      throw new Refusal('CONFLICT', `there are ${SOURCES_MAX} sources: delete one first`)
    }
    const id = runtime.ids.next()
    const secret = newSourceSecret()
    const row: SourceRow = {
      orgId,
      id,
      name,
      format,
      ...sealSecret(runtime, { orgId, id }, secret),
      sealedPrevious: null,
      previousUntilMs: null,
      mapping: await checkedMapping(tx, runtime, orgId, mapping),
      isEnabled: true,
      createdMs: nowMs,
      updatedMs: nowMs,
    }
    if (!(await insertNew(tx, reportingTables(tx).reportSources, row))) throw nameTaken(name)
    await context.audit('reports.source.create', { targetType: 'report-source', targetId: id, details: { name } })
    const source = sourceRecord(runtime, row)
    return changed({ source, secret, steps: stepsOf(format, source.url, secret) })
  },
})

export const nameTaken = (name: string): Refusal =>
  new Refusal('DUPLICATE_ENTRY', `a source "${name}" exists: choose another name`, { details: { field: 'name' } })
