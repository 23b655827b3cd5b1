/** `GET /pipeline-templates/:id`: one template. Source: spec platform 9. */
import Type from 'typebox'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { deprecationOf } from '../../runtime/records/catalog.js'
import { READ_PIPELINES } from '../read-access.js'
import { TemplateRecord, templateRecord, visibleTemplate } from './record.js'

export const onTemplate = Type.Object({ id: Uuid })

export const getTemplate = query({
  name: 'pipeline.template.get',
  summary: 'Read a pipeline template',
  http: { method: 'get', path: '/pipeline-templates/:id' },
  access: READ_PIPELINES,
  tenant: fromHeader,
  input: { path: onTemplate },
  output: strictObject({ template: TemplateRecord }),
  errors: ['NOT_FOUND'],
  headersOf: ({ template }) => deprecationOf(template),
  run: async (context, { path }) => ({
    template: templateRecord(await visibleTemplate(context, context.db, path.id)),
  }),
})
