/**
 * What this domain declares about generation: settings and rate limits. Its permissions are those of the generated
 * records.
 */
import { declare } from '../runtime/declare.js'
import { given, MS_MAX, optional } from '../runtime/setting/setting.js'
import { address, choice, jsonObject, list, matching, text, whole } from '../runtime/setting/types.js'

const url = (whose: string) => optional('ai', address('http', 'https'), `Address of ${whose}; http only for loopback`)
const key = (whose: string) => optional('ai', text(500), `Key of the server at ${whose}`, { secret: true })

export const aiDeclarations = declare({
  name: 'ai',
  sections: { ai: 'Generation' },
  permissions: {},
  settings: {
    AI_RATE_MAX: given('limits', whole(0), 20, 'Generations that a person can start in a window; 0 is off'),
    AI_RATE_WINDOWMS: given('limits', whole(1000, MS_MAX), 60_000, 'Window of AI_RATE_MAX, in ms'),
    AI_OPEN_MAX: given('limits', whole(1, 100), 3, 'Generations that a person can run at a time'),
    AI_PROVIDER: optional(
      'ai',
      choice('anthropic', 'openai', 'google', 'xai', 'amazon-bedrock', 'openai-compatible', 'fake'),
      'Provider when a request names none; the first one with a key when not set. `fake` answers in process, for trials and tests',
    ),
    AI_MODEL: optional('ai', text(200), 'Model when a request names none; the first one of the provider when not set'),
    AI_FALLBACK: given(
      'ai',
      list(matching(/^[a-z-]{1,30}(:\S{1,200})?$/, '`<provider>` or `<provider>:<model>`')),
      [],
      'Providers to use in this order when the first one does not answer, where the request names no other',
    ),
    AI_MODELS_JSON: optional(
      'ai',
      jsonObject,
      'Models by provider in place of the shipped ones: `{"openai":[{"id":"…","name":"…","inputMicroUsdPerMillion":0,"outputMicroUsdPerMillion":0}]}`',
    ),
    AI_REPAIR_ROUNDS: given('ai', whole(0, 5), 2, 'How many times a model is asked to correct its draft'),
    AI_MAX_OUTPUT_TOKENS: given('ai', whole(256, 131_072), 8192, 'Most tokens that a model may answer with'),
    MAX_PROMPT_LENGTH: given('ai', whole(1, 50_000), 5000, 'Longest prompt, in characters'),
    AI_FIRST_TOKEN_MS: given('ai', whole(10, 600_000), 30_000, 'Longest wait for the first token, in ms'),
    AI_IDLE_MS: given('ai', whole(10, 600_000), 60_000, 'Longest wait between two tokens, in ms'),
    AI_TOTAL_MS: given('ai', whole(10, 600_000), 180_000, 'Longest answer of a model, in ms'),
    GIT_HOSTS: given(
      'ai',
      list(
        matching(
          /^(github|gitlab|bitbucket):[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){0,10}(=https?:\/\/[^\s,=/]{1,253})?$/,
          '`<forge>:<host>`, and `=<origin>` where its API is elsewhere or private',
        ),
      ),
      [],
      'Hosts whose repositories can be drafted from, besides github.com, gitlab.com and bitbucket.org, such as `gitlab:git.acme.test`. With an origin (`github:git.acme.test=https://10.0.0.5`) its API may have a private address',
    ),
    ANTHROPIC_API_KEY: key('Anthropic'),
    OPENAI_API_KEY: key('OpenAI'),
    GOOGLE_GENERATIVE_AI_API_KEY: key('Google'),
    XAI_API_KEY: key('xAI'),
    AWS_ACCESS_KEY_ID: optional('ai', text(200), 'Access key for Amazon Bedrock'),
    AWS_SECRET_ACCESS_KEY: optional('ai', text(500), 'Secret of AWS_ACCESS_KEY_ID', { secret: true }),
    AWS_SESSION_TOKEN: optional('ai', text(4096), 'Session token of temporary keys', { secret: true }),
    AWS_REGION: optional('ai', matching(/^[a-z0-9-]{1,50}$/, 'name of a region'), 'Region of Amazon Bedrock'),
    AI_COMPAT_BASE_URL: url('a self-hosted model with the chat API of OpenAI, such as `https://models.example/v1`'),
    AI_COMPAT_API_KEY: key('the self-hosted model'),
    AI_COMPAT_MODEL: optional('ai', text(200), 'Model at AI_COMPAT_BASE_URL'),
    AI_ANTHROPIC_API_URL: url('Anthropic'),
    AI_OPENAI_API_URL: url('OpenAI'),
    AI_GOOGLE_API_URL: url('Google'),
    AI_XAI_API_URL: url('xAI'),
    AI_AMAZON_BEDROCK_API_URL: url('Amazon Bedrock'),
  },
  buckets: {
    ai: { per: 'user', max: 'AI_RATE_MAX', windowMs: 'AI_RATE_WINDOWMS' },
  },
})
