/**
 * Generation behind the real HTTP layer: the fake in this process, models written by tests, and streams that are read
 * to the end.
 */
import { draftFor } from '../../src/ai/fake/brain.js'
import { askingOf } from '../../src/ai/fake/model.js'
import { AI_OPERATIONS } from '../../src/ai/operations.js'
import type { Model, OpenModel, Piece, Usage } from '../../src/ai/provider/model.js'
import { aiRegistration } from '../../src/ai/registration.js'
import { identityRegistration } from '../../src/identity/registration.js'
import { TENANT_OPERATIONS } from '../../src/identity/tenant-operations.js'
import { PIPELINE_OPERATIONS } from '../../src/pipeline/operations.js'
import { pipelineRegistration } from '../../src/pipeline/registration.js'
import { quotaRegistration } from '../../src/quota/registration.js'
import type { Store } from '../../src/runtime/store/db.js'
import { type PluginApp, pluginApp } from './plugins.js'
import type { AppSetup, IdentityApp, SignedIn } from './sign-in.js'

export type GenerationApp = PluginApp

export const generationApp = (store: Store, setup: AppSetup = {}): Promise<GenerationApp> =>
  pluginApp(store, {
    ...setup,
    operations: [...TENANT_OPERATIONS, ...PIPELINE_OPERATIONS, ...AI_OPERATIONS, ...(setup.operations ?? [])],
    domains: [identityRegistration, quotaRegistration, pipelineRegistration, aiRegistration, ...(setup.domains ?? [])],
    settings: { AI_PROVIDER: 'fake', ...setup.settings },
  })

export interface Heard {
  /** The name of the event; `[DONE]` for the last line. */
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Requests a stream and reads it to the end. */
export async function said(
  app: Pick<IdentityApp, 'http'>,
  as: Pick<SignedIn, 'accessToken'>,
  path: string,
  body: object,
): Promise<Heard[]> {
  const response = await app.http.request(`/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${text}`)
  return heardIn(text)
}

export function heardIn(text: string): Heard[] {
  return text
    .split('\n\n')
    .filter((part) => part !== '' && !part.startsWith(':'))
    .map((part) => {
      const line = (name: string) =>
        part
          .split('\n')
          .find((each) => each.startsWith(`${name}: `))
          ?.slice(name.length + 2)
      const data = line('data') ?? 'null'
      return data === '[DONE]' ? { event: data, data: {} } : { event: line('event') ?? '', data: JSON.parse(data) }
    })
}

/**
 * One output of a model: a text (`good` is what the fake would answer), its usage, or the error with which it fails.
 */
export type Output = string | Usage | Error

/** Models that answer with the outputs written for their provider, the same for each prompt. */
export const scripted =
  (outputs: Readonly<Record<string, readonly Output[]>>): OpenModel =>
  async ({ provider }): Promise<Model> => ({
    async *ask(question): AsyncGenerator<Piece> {
      let usage: Usage = { inputTokens: 10, outputTokens: 20 }
      for (const output of outputs[provider] ?? []) {
        if (output instanceof Error) throw output
        if (typeof output !== 'string') usage = output
        else yield { kind: 'text', text: output === 'good' ? JSON.stringify(draftFor(askingOf(question))) : output }
      }
      yield { kind: 'end', usage }
    },
  })
