/** Reads a request for a plugin. */
import Type, { type Static } from 'typebox'
import { GeneratedPlugin } from '../../plugin/index.js'
import { invalid, invalidField } from '../../runtime/errors.js'
import type { PrepareContext } from '../../runtime/operation/context.js'
import { problems, strictObject } from '../../runtime/operation/schema.js'
import { pluginSubject } from '../check/plugin.js'
import { namedHosts } from '../check/suspicious.js'
import { masked } from '../draft/placeholders.js'
import { fromConfig, type PluginDraft } from '../draft/plugin.js'
import { ASK, checkPrompt, readAsk } from '../generation/ask.js'
import type { Planned } from '../generation/begin.js'
import { PreviousConfig, pluginBlock } from '../pipeline/plan.js'
import { firstTurn } from '../prompt.js'

export const PluginAsk = strictObject({ ...ASK, previousConfig: PreviousConfig })
export type PluginAsk = Static<typeof PluginAsk>

/** A plugin as a generation returns it, with or without its Dockerfile. */
const Previous = strictObject({
  ...GeneratedPlugin.properties,
  dockerfile: Type.Optional(GeneratedPlugin.properties.dockerfile),
})

/** @throws Refusal 400, 409 or 503; nothing is reserved then. */
export async function planPlugin(context: PrepareContext, body: PluginAsk): Promise<Planned> {
  checkPrompt(context, body.prompt)
  const before = body.previousConfig === undefined ? null : previousDraft(body.previousConfig)
  const asked = await readAsk(context, body)
  const { prompt } = body
  return {
    kind: 'plugin',
    prompt,
    asked,
    async subject(inside) {
      const blocks = await pluginBlock(inside)
      if (before !== null) blocks.push({ title: 'The plugin before', text: JSON.stringify(masked(before)) })
      const turns = [{ role: 'user', text: firstTurn(prompt, blocks) }] as const
      return pluginSubject(turns, { before, hosts: namedHosts(prompt) })
    },
  }
}

/** @throws Refusal 400 for anything that is not a plugin. */
function previousDraft(config: Readonly<Record<string, unknown>>): PluginDraft {
  const at = '/body/previousConfig'
  if ('synth' in config || 'stages' in config || 'props' in config) {
    throw invalidField(at, 'is a pipeline: send it to /pipelines/generate', 'kind')
  }
  const issues = problems(Previous, config, at)
  if (issues.length > 0) throw invalid(issues)
  return fromConfig({ dockerfile: '', ...config } as unknown as GeneratedPlugin).draft
}
