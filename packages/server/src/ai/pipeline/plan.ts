/** Reads a request for a pipeline. */
import Type, { type Static } from 'typebox'
import { PropsSchema } from '../../pipeline/index.js'
import { visiblePluginNames } from '../../plugin/index.js'
import { invalid, invalidField } from '../../runtime/errors.js'
import { type PrepareContext, tenantKey } from '../../runtime/operation/context.js'
import { problems, strictObject } from '../../runtime/operation/schema.js'
import { NAMES_MAX, pipelineSubject } from '../check/pipeline.js'
import { namedHosts } from '../check/suspicious.js'
import { fromProps, type PipelineDraft } from '../draft/pipeline.js'
import { masked } from '../draft/placeholders.js'
import { ASK, checkPrompt, readAsk } from '../generation/ask.js'
import type { Planned } from '../generation/begin.js'
import { type Block, firstTurn } from '../prompt.js'

export const PreviousConfig = Type.Optional(
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'The pipeline to change; values of its environment are not sent',
  }),
)

export const PipelineAsk = strictObject({ ...ASK, previousConfig: PreviousConfig })
export type PipelineAsk = Static<typeof PipelineAsk>

/** @throws Refusal 400, 409 or 503; nothing is reserved then. */
export async function planPipeline(context: PrepareContext, body: PipelineAsk): Promise<Planned> {
  checkPrompt(context, body.prompt)
  const before = body.previousConfig === undefined ? null : previousDraft(body.previousConfig)
  const asked = await readAsk(context, body)
  const { prompt } = body
  return {
    kind: 'pipeline',
    prompt,
    asked,
    async subject(inside) {
      const blocks = [...(await pluginBlock(inside)), ...previousBlock(before)]
      return pipelineSubject([{ role: 'user', text: firstTurn(prompt, blocks) }], {
        names: namesOf(inside, before),
        before,
        hosts: namedHosts(prompt),
        images: new Set(),
        files: [],
        licence: null,
        repository: null,
      })
    },
  }
}

export async function pluginBlock(context: PrepareContext): Promise<Block[]> {
  const names = await context.read((db) => visiblePluginNames(db, tenantKey(context), NAMES_MAX))
  return names.length === 0 ? [] : [{ title: 'Plugins that are there', text: names.join('\n') }]
}

const previousBlock = (before: PipelineDraft | null): Block[] =>
  before === null
    ? []
    : [{ title: 'The pipeline before, to be changed as little as is wanted', text: JSON.stringify(masked(before)) }]

export const namesOf = ({ authority: { org } }: PrepareContext, before: PipelineDraft | null, project = 'app') => ({
  project: before?.project ?? project,
  organization: before?.organization ?? org?.name ?? 'organization',
})

/** @throws Refusal 400 for anything that is not pipeline properties, and for properties that a draft cannot express. */
function previousDraft(config: Readonly<Record<string, unknown>>): PipelineDraft {
  const at = '/body/previousConfig'
  if (!('synth' in config) && ('commands' in config || 'dockerfile' in config)) {
    throw invalidField(at, 'is a plugin: send it to /plugins/generate', 'kind')
  }
  if (!('synth' in config) && 'props' in config) throw invalidField(at, 'is a whole pipeline: send its `props`', 'kind')
  const issues = problems(PropsSchema, config, at)
  if (issues.length > 0) throw invalid(issues)
  const { draft, beyond } = fromProps(config as never)
  if (beyond.length === 0) return draft
  throw invalid(
    beyond.map((path) => ({
      path: `${at}${path}`,
      message: 'cannot be part of a draft: leave it out, and add it to the result',
      code: 'beyond',
    })),
  )
}
