/**
 * `POST /pipeline-templates/:id/instantiate`: returns the body of a pipeline; nothing is stored. Source: spec platform
 * 9.
 */
import Type from 'typebox'
import { invalid } from '../../runtime/errors.js'
import { unchanged } from '../../runtime/operation/context.js'
import { nameWithLetter } from '../../runtime/operation/name.js'
import { command, fromHeader, none } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { requireProps } from '../pipeline/check.js'
import { PropsSchema } from '../props/schema.js'
import { READ_PIPELINES } from '../read-access.js'
import { instantiated } from './contract.js'
import { onTemplate } from './get.js'
import { InputValues, readInputs } from './inputs.js'
import { visibleTemplate } from './record.js'

export const instantiateTemplate = command({
  name: 'pipeline.template.instantiate',
  summary: 'Create the properties of a pipeline from a template',
  http: { method: 'post', path: '/pipeline-templates/:id/instantiate' },
  access: READ_PIPELINES,
  tenant: fromHeader,
  audit: none('nothing is stored: the pipeline that is made of it has its own evidence'),
  input: {
    path: onTemplate,
    body: strictObject({
      project: nameWithLetter(255),
      organization: nameWithLetter(255),
      pipelineName: Type.Optional(nameWithLetter(255)),
      inputs: Type.Optional(InputValues),
    }),
  },
  output: strictObject({
    props: PropsSchema,
    description: Type.String(),
    keywords: Type.Array(Type.String()),
    templateId: Uuid,
    templateVersion: Type.Integer({ minimum: 1 }),
  }),
  errors: [
    'NOT_FOUND',
    'TEMPLATE_CYCLE',
    'TEMPLATE_PARSE_ERROR',
    'TEMPLATE_SECRETS_RESERVED',
    'TEMPLATE_SIZE_EXCEEDED',
    'TEMPLATE_TYPE_MISMATCH',
    'TEMPLATE_UNKNOWN_PATH',
    'TEMPLATE_VALIDATION_FAILED',
    'VALIDATION_ERROR',
  ],
  async prepare(context, { path, body }) {
    const template = await context.read((db) => visibleTemplate(context, db, path.id))
    const { values, issues } = readInputs(template.inputs, body.inputs ?? {}, '/body/inputs')
    if (issues.length > 0) throw invalid(issues)
    const named = { project: body.project.trim(), organization: body.organization.trim() }
    const props = {
      ...instantiated(template.props, values),
      ...named,
      ...(body.pipelineName === undefined ? {} : { pipelineName: body.pipelineName.trim() }),
    }
    requireProps(props, named, '/body/inputs')
    return {
      props,
      description: template.description,
      keywords: [...template.keywords],
      templateId: template.id,
      templateVersion: template.version,
    }
  },
  run: async (_, __, data) => unchanged(data),
})
