/**
 * Models by the packages of their providers, loaded at the first question. Each package gets its address, its key and
 * our egress, so that it reads nothing from the environment. The packages' model interface does not retry and uses no
 * gateway (ADR 146).
 */
import type { OpenAIProvider } from '@ai-sdk/openai'
import { EgressFailed } from '../../runtime/egress/egress.js'
import { readTarget } from '../../runtime/egress/target.js'
import {
  away,
  broken,
  late,
  type Model,
  ModelFailed,
  type Opening,
  type OpenModel,
  type Piece,
  type Question,
  refusedBy,
  type Usage,
} from './model.js'
import { addressesOf, providerName } from './providers.js'

type SdkModel = ReturnType<OpenAIProvider['languageModel']>
type SdkUsage = Awaited<ReturnType<SdkModel['doGenerate']>>['usage']
type SdkOptions = Parameters<SdkModel['doGenerate']>[0]

const ANSWER_BYTES_MAX = 4 << 20

export const openSdkModel: OpenModel = async (opening) => {
  const { provider, settings } = opening
  const url = addressesOf(settings)[provider]
  const name = providerName(provider)
  if (url === null) throw unset(`${name} has no address: set AI_COMPAT_BASE_URL`)
  const sdk = await load(opening, url)
  return modelOver(sdk, name)
}

const unset = (message: string): ModelFailed =>
  new ModelFailed('AI_NOT_CONFIGURED', message, { mayFallBack: true, mayCost: false })

/** @throws ModelFailed when the package is not installed. */
async function load(opening: Opening, baseURL: string): Promise<SdkModel> {
  const { provider, model, key: apiKey, settings } = opening
  const given = { baseURL, fetch: fetchOver(opening, baseURL) }
  try {
    switch (provider) {
      case 'anthropic':
        return (await import('@ai-sdk/anthropic')).createAnthropic({ ...given, apiKey })(model)
      case 'openai':
        return (await import('@ai-sdk/openai')).createOpenAI({ ...given, apiKey, organization: '', project: '' })(model)
      case 'google':
        return (await import('@ai-sdk/google')).createGoogleGenerativeAI({ ...given, apiKey })(model)
      case 'xai':
        return (await import('@ai-sdk/xai')).createXai({ ...given, apiKey })(model)
      case 'openai-compatible': {
        const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
        const rest = { name: 'compat', includeUsage: true, supportsStructuredOutputs: true }
        return createOpenAICompatible({ ...given, ...rest, ...(apiKey === '' ? {} : { apiKey }) })(model)
      }
      case 'amazon-bedrock': {
        const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
        return createAmazonBedrock({ ...given, region: settings.AWS_REGION ?? 'us-east-1', ...awsKey(apiKey) })(model)
      }
      case 'fake':
        throw new Error('the fake answers in process')
    }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw unset(`the package of ${providerName(provider)} is not installed: npm install @ai-sdk/${provider}`)
  }
}

/**
 * `<id>:<secret>[:<session>]`, else a Bedrock API key. The package would read any omitted value from the environment.
 */
function awsKey(text: string) {
  const [accessKeyId = '', secretAccessKey, sessionToken] = text.split(':')
  if (secretAccessKey === undefined) return { apiKey: text, accessKeyId: '', secretAccessKey: '' }
  return { apiKey: '', accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
}

/** The fetch for a package: it allows only the origin of the given address. */
export function fetchOver(
  { egress, settings }: Pick<Opening, 'egress' | 'settings'>,
  baseURL: string,
): typeof globalThis.fetch {
  const { origin } = new URL(baseURL)
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    // guard: a-key-goes-to-its-provider-alone
    if (new URL(url).origin !== origin) throw new EgressFailed('refused', 'a package asked for another host')
    const target = readTarget(url, [origin])
    if (typeof target === 'string') throw new EgressFailed('refused', `the address ${target}`)
    const headers = Object.fromEntries(new Headers(init?.headers as Headers))
    delete headers['accept-encoding']
    const body = init?.body
    const sent = typeof body === 'string' || body instanceof Uint8Array ? { body } : {}
    const signal = init?.signal === undefined || init.signal === null ? {} : { signal: init.signal }
    const method = init?.method === 'GET' ? 'GET' : 'POST'
    return egress.fetch(
      target,
      { method, headers, ...sent, ...signal },
      { bytesMax: ANSWER_BYTES_MAX, timeoutMs: settings.AI_TOTAL_MS },
    )
  }
}

const optionsOf = ({ instructions, turns, schema, schemaName, outputTokensMax, signal }: Question): SdkOptions => ({
  prompt: [
    { role: 'system', content: instructions },
    ...turns.map(({ role, text }) => ({ role, content: [{ type: 'text' as const, text }] })),
  ],
  maxOutputTokens: outputTokensMax,
  responseFormat: { type: 'json', schema: plain(schema) as never, name: schemaName },
  abortSignal: signal,
})

/** The schema as plain JSON, without the library's symbol keys. */
const plain = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema))

function modelOver(sdk: SdkModel, name: string): Model {
  return {
    async *ask(question) {
      try {
        yield* question.isStreamed ? streamed(sdk, question, name) : whole(sdk, question)
      } catch (error) {
        if (question.signal.aborted) throw question.signal.reason
        throw failureOf(error, name)
      }
    },
  }
}

async function* whole(sdk: SdkModel, question: Question): AsyncGenerator<Piece> {
  const { content, usage } = await sdk.doGenerate(optionsOf(question))
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  yield { kind: 'text', text }
  yield { kind: 'end', usage: usageOf(usage) }
}

async function* streamed(sdk: SdkModel, question: Question, name: string): AsyncGenerator<Piece> {
  const { stream } = await sdk.doStream(optionsOf(question))
  const reader = stream.getReader()
  let [isOver, hasText] = [false, false]
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (value.type === 'text-delta') {
        hasText ||= value.delta !== ''
        yield { kind: 'text', text: value.delta }
      } else if (value.type === 'reasoning-delta') yield { kind: 'busy' }
      else if (value.type === 'error') throw value.error
      else if (value.type === 'finish') {
        // Some packages report an invalid answer as an end without text.
        if (!hasText) throw broken(`${name} sent an invalid answer`)
        isOver = true
        yield { kind: 'end', usage: usageOf(value.usage) }
      }
    }
    if (!isOver) throw broken(`${name} ended its answer in the middle`)
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function usageOf({ inputTokens, outputTokens }: SdkUsage): Usage | null {
  const [input, output] = [inputTokens.total, outputTokens.total]
  return input === undefined || output === undefined ? null : { inputTokens: input, outputTokens: output }
}

/** Maps an error to its kind. The packages' messages contain the prompt, so they are not used. */
function failureOf(error: unknown, name: string): ModelFailed {
  for (let each = error, depth = 0; each instanceof Error && depth < 8; each = each.cause, depth++) {
    if (each instanceof ModelFailed) return each
    if (each instanceof EgressFailed) {
      if (each.kind === 'late') return late(`${name} did not answer in time`)
      return each.kind === 'too-large' || each.kind === 'redirect'
        ? broken(`${name}: ${each.message}`)
        : away(`${name} cannot be reached: ${each.message}`)
    }
    const { statusCode } = each as { statusCode?: unknown }
    if (typeof statusCode === 'number' && statusCode >= 400) return refusedBy(name, statusCode)
  }
  return broken(`${name} sent an invalid answer`)
}
