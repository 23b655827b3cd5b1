/** Turns a request into candidates: providers, models, keys, and what the organization allows. */
import { nearestWord } from '@plumbline/engine/words'
import Type, { type Static } from 'typebox'
import { invalidField, Refusal } from '../../runtime/errors.js'
import type { PrepareContext } from '../../runtime/operation/context.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { hasPrice } from '../budget/budget.js'
import { type AiSettings, settingsOf } from '../budget/settings.js'
import { visible } from '../prompt.js'
import { type Key, keyFor, orgKeyProviders, serverKey } from '../provider/keys.js'
import {
  defaultModel,
  fallbacksOf,
  type ModelEntry,
  offeredProviders,
  type ProviderId,
  providerName,
} from '../provider/providers.js'
import { aiOf } from '../services.js'

const ProviderName = Type.String({ minLength: 1, maxLength: 50, description: 'An id of the list of providers' })
const ModelName = Type.String({ minLength: 1, maxLength: 200 })
const ApiKey = Type.String({
  minLength: 1,
  maxLength: 500,
  // A header cannot have other characters, and the failure would look like one of the provider.
  pattern: '^[!-~]*$',
  'x-says': 'must be a key without spaces and other characters that a header cannot have',
  description: 'A key for this request only: never stored or logged',
})

/** The upper bound of the schema; MAX_PROMPT_LENGTH may be lower. */
const PROMPT_MAX = 50_000

export const WHO = {
  provider: Type.Optional(ProviderName),
  model: Type.Optional(ModelName),
  apiKey: Type.Optional(ApiKey),
}

export const ASK = {
  prompt: Type.String({
    minLength: 1,
    maxLength: PROMPT_MAX,
    description: 'The prompt; at most MAX_PROMPT_LENGTH characters',
  }),
  ...WHO,
  fallbackProviders: Type.Optional(
    Type.Array(Type.Union([ProviderName, strictObject({ provider: ProviderName, model: Type.Optional(ModelName) })]), {
      maxItems: 4,
      description: 'Other providers to use in this order when the first one does not answer; not with `apiKey`',
    }),
  ),
  save: Type.Optional(Type.Literal(false, { description: 'A generation stores nothing' })),
}
export const WhoBody = strictObject(WHO)
export type WhoBody = Static<typeof WhoBody>
export type FallbackProviders = readonly (string | { readonly provider: string; readonly model?: string })[]

/** A provider and model that may serve a generation. */
export interface Candidate {
  readonly provider: ProviderId
  readonly model: ModelEntry
  readonly key: Key
}

export const servedBy = ({ provider, model }: Candidate) => ({ provider: provider as string, model: model.id })

export interface Asked {
  readonly candidates: readonly [Candidate, ...Candidate[]]
  readonly allowed: AiSettings
}

/** @throws Refusal 400 for a prompt that is empty or too long for this server. */
export function checkPrompt({ runtime }: Pick<PrepareContext, 'runtime'>, prompt: string): void {
  const max = runtime.settings.MAX_PROMPT_LENGTH
  if (prompt.length > max)
    throw invalidField('/body/prompt', `has ${prompt.length} characters, at most ${max}`, 'maxLength')
  // The model sees no invisible characters, and would draft something from nothing.
  if (visible(prompt).trim() === '') {
    throw invalidField('/body/prompt', 'says nothing: describe what is wanted', 'minLength')
  }
}

/** @throws Refusal 400 for unknown names in the request, 503 `AI_NOT_CONFIGURED` when there is no key. */
export async function readAsk(
  context: PrepareContext,
  body: WhoBody & { readonly fallbackProviders?: FallbackProviders },
): Promise<Asked> {
  const { settings } = context.runtime
  const tenant = tenantOf(context)
  // guard: a-key-of-the-request-serves-alone
  if (body.apiKey !== undefined && (body.fallbackProviders ?? []).length > 0) {
    throw invalidField('/body/fallbackProviders', 'cannot be combined with `apiKey`: leave one of them out', 'apiKey')
  }
  const provider =
    body.provider === undefined ? await defaultProvider(context) : providerOf(context, body.provider, '/body/provider')
  const first = { provider, model: modelOf(context, provider, body.model, '/body/model') }
  const others = body.apiKey === undefined ? fallbacks(context, body.fallbackProviders, provider) : []
  const { candidates, allowed, hasMoneyBudget } = await context.read(async (db) => {
    const found: Candidate[] = []
    for (const each of [first, ...others]) {
      const key: Key =
        body.apiKey === undefined
          ? await keyFor(db, { settings, box: () => aiOf(context.runtime).box() }, tenant, each.provider)
          : { source: 'request', text: body.apiKey }
      found.push({ ...each, key })
    }
    const [own, root] = [await settingsOf(db, tenant.orgId), await settingsOf(db, tenant.rootOrgId)]
    // Rules of the root apply to its teams, so what it keeps to itself, its teams do too.
    // guard: a-team-shares-no-more-than-its-root
    const allowed = { ...own, previews: own.previews && root.previews, shareRules: own.shareRules && root.shareRules }
    return { candidates: found, allowed, hasMoneyBudget: (own.monthlyMicroUsd ?? root.monthlyMicroUsd) !== null }
  })
  if (candidates.every(({ key }) => key.source === 'none')) throw notConfigured(provider)
  const unpriced = hasMoneyBudget ? candidates.find(({ model }) => !hasPrice(model)) : undefined
  if (unpriced !== undefined) {
    throw new Refusal(
      'CONFLICT',
      `${unpriced.model.id} has no price, and the organization or its account has a budget of money: the operator sets one in AI_MODELS_JSON, or the budget is set in tokens`,
    )
  }
  return { candidates: candidates as [Candidate, ...Candidate[]], allowed }
}

export function tenantOf({ authority: { org } }: Pick<PrepareContext, 'authority'>) {
  if (org === null) throw new Error('the operation has no tenant')
  return { orgId: org.id, rootOrgId: org.rootOrgId }
}

const notConfigured = (provider: ProviderId): Refusal =>
  new Refusal(
    'AI_NOT_CONFIGURED',
    `no key for ${providerName(provider)}: an administrator sets one by PUT /organization/ai-config, the operator by the settings of the server, or send \`apiKey\``,
    { details: { provider } },
  )

function providerOf({ runtime }: PrepareContext, text: string, at: string): ProviderId {
  const offered = offeredProviders(runtime.settings)
  const found = offered.find((id) => id === text)
  if (found !== undefined) return found
  const near = nearestWord(text, offered)
  const known = near === null ? `one of ${offered.join(', ')}` : `did you mean ${near}?`
  throw invalidField(at, `\`${text}\` is not a provider: ${known}`, 'unknown_provider')
}

/** @throws Refusal 400 that names the nearest model. */
function modelOf(
  { runtime }: PrepareContext,
  provider: ProviderId,
  wanted: string | undefined,
  at: string,
): ModelEntry {
  const models = aiOf(runtime).models[provider]
  if (wanted === undefined) {
    const first = defaultModel(runtime.settings, models)
    if (first === undefined)
      throw new Refusal('AI_NOT_CONFIGURED', `${providerName(provider)} has no model: set AI_COMPAT_MODEL`)
    return first
  }
  const found = models.find(({ id }) => id === wanted)
  if (found !== undefined) return found
  const ids = models.map(({ id }) => id)
  const near = nearestWord(wanted, ids)
  const known = near === null ? `one of ${ids.join(', ')}` : `did you mean ${near}?`
  throw invalidField(at, `\`${wanted}\` is not a model of ${providerName(provider)}: ${known}`, 'unknown_model')
}

/** The configured provider, else the first with a key of the organization, else the first with a key of the server. */
export async function defaultProvider(context: PrepareContext): Promise<ProviderId> {
  const { settings } = context.runtime
  if (settings.AI_PROVIDER !== null) return settings.AI_PROVIDER
  const own = await context.read((db) => orgKeyProviders(db, tenantOf(context)))
  const offered = offeredProviders(settings)
  const named = offered.find((id) => own.has(id)) ?? offered.find((id) => serverKey(settings, id) !== null)
  if (named !== undefined) return named
  throw new Refusal(
    'AI_NOT_CONFIGURED',
    'no provider has a key here: an administrator sets one by PUT /organization/ai-config, the operator by the settings of the server, or send `provider` and `apiKey`',
  )
}

function fallbacks(context: PrepareContext, asked: FallbackProviders | undefined, first: ProviderId) {
  if (asked === undefined) {
    return fallbacksOf(context.runtime.settings)
      .filter(({ provider }) => provider !== first)
      .map(({ provider, model }) => ({ provider, model: modelOf(context, provider, model, 'AI_FALLBACK') }))
  }
  return asked.map((each, n) => {
    const at = `/body/fallbackProviders/${n}`
    const { provider: name, model } = typeof each === 'string' ? { provider: each, model: undefined } : each
    const provider = providerOf(context, name, at)
    if (provider === first) {
      throw invalidField(at, `\`${provider}\` is the provider that is asked first: leave it out`, 'first_provider')
    }
    return { provider, model: modelOf(context, provider, model, `${at}/model`) }
  })
}
