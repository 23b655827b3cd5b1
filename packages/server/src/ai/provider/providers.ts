/** The providers and their models, as data. The shipped lists apply unless an operator sets AI_MODELS_JSON. */
import Type, { type Static } from 'typebox'
import { problems, strictObject } from '../../runtime/operation/schema.js'
import { BadSettings } from '../../runtime/settings/bad-settings.js'
import type { Settings } from '../../runtime/settings/load.js'

export const PROVIDER_IDS = [
  'anthropic',
  'openai',
  'google',
  'xai',
  'amazon-bedrock',
  'openai-compatible',
  'fake',
] as const
export type ProviderId = (typeof PROVIDER_IDS)[number]

export const ModelEntry = strictObject({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  name: Type.String({ minLength: 1, maxLength: 200 }),
  inputMicroUsdPerMillion: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })),
  outputMicroUsdPerMillion: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })),
})
export type ModelEntry = Static<typeof ModelEntry>

const model = (id: string, name: string): ModelEntry => ({ id, name })

const NAMES: Readonly<Record<ProviderId, string>> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  google: 'Google',
  xai: 'xAI',
  'amazon-bedrock': 'Amazon Bedrock',
  'openai-compatible': 'Self-hosted (OpenAI API)',
  fake: 'Fake (in process)',
}
export const providerName = (id: ProviderId): string => NAMES[id]

/** The first model of each provider is its default. Prices change, so none are shipped. */
const SHIPPED: Readonly<Record<ProviderId, readonly ModelEntry[]>> = {
  anthropic: [
    model('claude-sonnet-5-5', 'Claude Sonnet 5.5'),
    model('claude-opus-5-5', 'Claude Opus 5.5'),
    model('claude-haiku-5-5', 'Claude Haiku 5.5'),
  ],
  openai: [model('gpt-6-sol', 'GPT-6 Sol'), model('gpt-6-luna', 'GPT-6 Luna'), model('gpt-5.5', 'GPT-5.5')],
  google: [
    model('gemini-3.8-flash', 'Gemini 3.8 Flash'),
    model('gemini-pro-latest', 'Gemini Pro'),
    model('gemini-flash-latest', 'Gemini Flash'),
  ],
  xai: [model('grok-4.7', 'Grok 4.7'), model('grok-4.6', 'Grok 4.6')],
  'amazon-bedrock': [
    model('anthropic.claude-sonnet-5-5', 'Claude Sonnet 5.5 on Bedrock'),
    model('anthropic.claude-opus-5-5', 'Claude Opus 5.5 on Bedrock'),
  ],
  'openai-compatible': [],
  fake: [{ id: 'fake-1', name: 'Fake', inputMicroUsdPerMillion: 1_000_000, outputMicroUsdPerMillion: 5_000_000 }],
}

const Override = strictObject(
  Object.fromEntries(
    PROVIDER_IDS.map((id) => [id, Type.Optional(Type.Array(ModelEntry, { minItems: 1, maxItems: 100 }))]),
  ),
)

/** @throws BadSettings where AI_MODELS_JSON is not a list of models by provider. */
export function modelsOf({
  AI_MODELS_JSON,
  AI_COMPAT_MODEL,
}: Pick<Settings, 'AI_MODELS_JSON' | 'AI_COMPAT_MODEL'>): Readonly<Record<ProviderId, readonly ModelEntry[]>> {
  const compatible = AI_COMPAT_MODEL === null ? [] : [model(AI_COMPAT_MODEL, AI_COMPAT_MODEL)]
  const shipped = { ...SHIPPED, 'openai-compatible': compatible }
  if (AI_MODELS_JSON === null) return shipped
  const [first] = problems(Override, AI_MODELS_JSON, '')
  if (first !== undefined) throw new BadSettings([`AI_MODELS_JSON${first.path} ${first.message}`])
  return { ...shipped, ...(AI_MODELS_JSON as typeof SHIPPED) }
}

/** The providers that this server offers. The fake answers without a model, so only the operator can switch it on. */
export const offeredProviders = ({ AI_PROVIDER }: Pick<Settings, 'AI_PROVIDER'>): readonly ProviderId[] =>
  // guard: the-fake-is-offered-where-the-operator-chose-it
  PROVIDER_IDS.filter((id) => id !== 'fake' || AI_PROVIDER === 'fake')

/** The model that serves when a request names none; undefined if the provider has no model. */
export const defaultModel = ({ AI_MODEL }: Pick<Settings, 'AI_MODEL'>, models: readonly ModelEntry[]) =>
  models.find(({ id }) => id === AI_MODEL) ?? models[0]

interface Fallback {
  readonly provider: ProviderId
  readonly model?: string
}

/** The parts of AI_FALLBACK: `provider`, or `provider:model`. */
export const fallbacksOf = ({ AI_FALLBACK }: Pick<Settings, 'AI_FALLBACK'>): readonly Fallback[] =>
  AI_FALLBACK.map((each) => {
    const [provider = '', ...model] = each.split(':')
    return { provider: provider as ProviderId, ...(model.length === 0 ? {} : { model: model.join(':') }) }
  })

/** @throws BadSettings where AI_MODEL or AI_FALLBACK names what this server does not have. */
export function checkNames(settings: Settings, models: Readonly<Record<ProviderId, readonly ModelEntry[]>>): void {
  const { AI_MODEL, AI_PROVIDER } = settings
  const has = (provider: ProviderId, id: string) => models[provider].some((each) => each.id === id)
  const listed = (ids: readonly string[]) => (ids.length === 0 ? 'it has none' : `one of ${ids.join(', ')}`)
  const wrong: string[] = []
  const places = AI_PROVIDER === null ? offeredProviders(settings) : [AI_PROVIDER]
  if (AI_MODEL !== null && !places.some((provider) => has(provider, AI_MODEL))) {
    const ids = places.flatMap((provider) => models[provider].map(({ id }) => id))
    wrong.push(`AI_MODEL is not a model of ${AI_PROVIDER ?? 'any provider'}: ${listed(ids)}`)
  }
  for (const { provider, model } of fallbacksOf(settings)) {
    if (!offeredProviders(settings).includes(provider)) {
      wrong.push(`AI_FALLBACK names \`${provider}\`, which is not a provider: ${listed(offeredProviders(settings))}`)
    } else if (models[provider].length === 0) {
      wrong.push(`AI_FALLBACK names \`${provider}\`, which has no model: set AI_COMPAT_MODEL`)
    } else if (model !== undefined && !has(provider, model)) {
      const ids = models[provider].map(({ id }) => id)
      wrong.push(`AI_FALLBACK names \`${model}\`, which is not a model of ${provider}: ${listed(ids)}`)
    }
  }
  if (wrong.length > 0) throw new BadSettings(wrong)
}

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:[0-9]+)?(\/|$)/

/** The address of each provider. @throws BadSettings for plain http to an address other than loopback. */
export function addressesOf(settings: Settings): Readonly<Record<ProviderId, string | null>> {
  const region = settings.AWS_REGION ?? 'us-east-1'
  const named = {
    AI_ANTHROPIC_API_URL: settings.AI_ANTHROPIC_API_URL,
    AI_OPENAI_API_URL: settings.AI_OPENAI_API_URL,
    AI_GOOGLE_API_URL: settings.AI_GOOGLE_API_URL,
    AI_XAI_API_URL: settings.AI_XAI_API_URL,
    AI_AMAZON_BEDROCK_API_URL: settings.AI_AMAZON_BEDROCK_API_URL,
    AI_COMPAT_BASE_URL: settings.AI_COMPAT_BASE_URL,
  }
  const open = Object.entries(named).filter(([, url]) => url?.startsWith('http:') && !LOOPBACK.test(url))
  // guard: keys-go-over-tls
  if (open.length > 0) {
    throw new BadSettings(
      open.map(([name]) => `${name} must begin with https://; plain http is allowed only for loopback`),
    )
  }
  return {
    anthropic: named.AI_ANTHROPIC_API_URL ?? 'https://api.anthropic.com/v1',
    openai: named.AI_OPENAI_API_URL ?? 'https://api.openai.com/v1',
    google: named.AI_GOOGLE_API_URL ?? 'https://generativelanguage.googleapis.com/v1beta',
    xai: named.AI_XAI_API_URL ?? 'https://api.x.ai/v1',
    'amazon-bedrock': named.AI_AMAZON_BEDROCK_API_URL ?? `https://bedrock-runtime.${region}.amazonaws.com`,
    'openai-compatible': named.AI_COMPAT_BASE_URL,
    fake: null,
  }
}
