/** An app with generation whose every way out leads to one fake, people in it, and canaries in every place that must not leave. */
import { and, eq, gt } from 'drizzle-orm'
import { type FakeAi, type FakeAiOptions, type Misbehaviour, startFakeAi } from '../../src/ai/fake/server.js'
import { PROVIDER_IDS, type ProviderId } from '../../src/ai/provider/providers.js'
import { aiTables } from '../../src/ai/tables.js'
import { quotaTables } from '../../src/quota/tables.js'
import { createEgress, type Egress } from '../../src/runtime/egress/egress.js'
import { type GenerationApp, generationApp, type Heard, heardIn } from '../../test/support/ai.js'
import { type SignedIn, signUp } from '../../test/support/sign-in.js'
import type { ProofStore } from './rows.js'

export const WIRES = PROVIDER_IDS.filter((id) => id !== 'fake')
export type Wire = (typeof WIRES)[number]

/** Where packages look for what they are not given. */
const ENVIRONMENT = [
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'OPENAI_API_KEY', 'OPENAI_ORG_ID', 'XAI_API_KEY'],
  ...['GOOGLE_GENERATIVE_AI_API_KEY', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
  ...['AWS_BEARER_TOKEN_BEDROCK', 'GITHUB_TOKEN', 'GITLAB_TOKEN', 'GH_TOKEN'],
]
/** In nothing that leaves: environment, secrets, other organizations. */
export const CANARY = /canary-(?:environment|own|other)/
/** In no error, answer, row or log. */
export const KEY = 'sk-key-of-the-request'
export const WISH = 'wish-of-the-person'

export interface World {
  readonly app: GenerationApp
  /** The same with short times, for models that say nothing; the other waits long, so that a busy machine changes no answer. */
  readonly hasty: GenerationApp
  readonly store: ProofStore
  readonly fake: FakeAi
  readonly ada: SignedIn
  /** Every host and port that something was sent to. */
  readonly reached: Set<string>
  readonly failures: string[]
  fail(text: string): void
}

type Options = Pick<FakeAiOptions, 'repositories'> & { readonly misbehave: (body: string) => Misbehaviour | 'good' }

export async function createWorld(store: ProofStore, { misbehave, ...options }: Options): Promise<World> {
  for (const name of ENVIRONMENT) process.env[name] = `canary-environment-${name}`
  const fake = await startFakeAi({ misbehave, waitMs: 20, ...options })
  const origin = `http://127.0.0.1:${fake.port}`
  const settings = {
    AI_ANTHROPIC_API_URL: `${origin}/v1`,
    AI_OPENAI_API_URL: `${origin}/v1`,
    AI_GOOGLE_API_URL: `${origin}/v1beta`,
    AI_XAI_API_URL: `${origin}/v1`,
    AI_AMAZON_BEDROCK_API_URL: origin,
    AI_COMPAT_BASE_URL: `${origin}/v1`,
    AI_COMPAT_MODEL: 'fake-1',
    GIT_HOSTS: `github:github.com=${origin},gitlab:gitlab.com=${origin},bitbucket:bitbucket.org=${origin}`,
    AI_RATE_MAX: '0',
    AI_OPEN_MAX: '100',
    AI_REPAIR_ROUNDS: '1',
  }
  const app = await generationApp(store, { settings })
  const times = { AI_FIRST_TOKEN_MS: '300', AI_IDLE_MS: '300', AI_TOTAL_MS: '600' }
  const hasty = await generationApp(store, { settings: { ...settings, ...times } })
  const reached = new Set<string>()
  const egress = watched(createEgress(), reached)
  for (const each of [app, hasty]) Object.assign(each.runtime, { egress })
  const [ada, eve] = [await signUp(app, 'ada'), await signUp(app, 'eve')]
  await plant(app, ada, 'own')
  await plant(app, eve, 'other')
  const failures: string[] = []
  return { app, hasty, store, fake, ada, reached, failures, fail: (text) => void failures.push(text) }
}

function watched(egress: Egress, reached: Set<string>): Egress {
  return {
    post: (target, posted) => {
      reached.add(`${target.host}:${target.port}`)
      return egress.post(target, posted)
    },
    get: (target, fetching) => {
      reached.add(`${target.host}:${target.port}`)
      return egress.get(target, fetching)
    },
    fetch: (target, init, limits) => {
      reached.add(`${target.host}:${target.port}`)
      return egress.fetch(target, init, limits)
    },
  }
}

const plugin = (name: string) => ({ name })
/** A pipeline whose environment holds a canary. */
export const propsWith = (canary: string) => ({
  project: 'kept',
  organization: 'kept',
  synth: {
    source: { type: 'github', options: { repo: 'acme/kept', branch: 'main' } },
    plugin: plugin('cdk-synth'),
    env: { KEPT: canary },
  },
  stages: [{ stageName: 'Build', steps: [{ plugin: plugin('node-build'), env: { DEEP: canary } }] }],
})

async function plant(app: GenerationApp, as: SignedIn, whose: 'own' | 'other'): Promise<void> {
  const canary = `canary-${whose}`
  const body = { project: `${canary}-project`, organization: 'kept', props: { ...propsWith(`${canary}-environment`) } }
  const props = { ...body.props, project: body.project }
  const made = await app.call('POST', '/pipelines', { as, body: { ...body, props } })
  if (made.status !== 201) throw new Error(`the canary was not planted: ${JSON.stringify(made.body)}`)
  await app.call('PUT', '/organization/ai-config', { as, body: { openai: `${canary}-key-0123456789` } })
  const dockerfile = 'FROM debian:12-slim\nUSER 1000\n'
  const name = whose === 'other' ? `${canary}-plugin` : 'visible-plugin'
  const generated = { name, version: '1.0.0', commands: ['make'], dockerfile, env: { A: `${canary}-environment` } }
  await app.call('POST', '/plugins/deploy-generated', { as, body: generated })
}

/** What is sent as the key of the request. */
export const keyOf = (wire: ProviderId): string => (wire === 'amazon-bedrock' ? `AKID${KEY}:${KEY}` : KEY)

export interface Said {
  readonly status: number
  readonly text: string
  readonly events: readonly Heard[]
  /** The code of the error that ended it; null for a draft. */
  readonly code: string | null
  // biome-ignore lint/suspicious/noExplicitAny: a proof reads what the wire says
  readonly done: any
}

const GRAMMAR = /^start (analyzing analyzed )?((partial|progress|fallback|repair) )*(plugins )?(done|error) \[DONE\]$/

/** Asks, and holds the answer to what holds for each: its grammar, one end, nothing that must stay inside. */
export async function ask(world: World, path: string, body: object, name: string, app = world.app): Promise<Said> {
  const { ada } = world
  const response = await app.http.request(`/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const events = isStream ? heardIn(text) : []
  const names = events.map(({ event }) => event).join(' ')
  if (isStream && !GRAMMAR.test(names)) world.fail(`${name}: the stream says ${names}`)
  if (events.some(({ event, data }) => event === 'partial' && data['checked'] !== false))
    world.fail(`${name}: a part that was not checked does not say so`)
  const error = isStream ? events.find(({ event }) => event === 'error')?.data : JSON.parse(text)
  const code = (error?.['code'] as string | undefined) ?? null
  if (text.includes(KEY)) world.fail(`${name}: the answer holds the key`)
  if (code !== null && text.includes(WISH)) world.fail(`${name}: the error holds the prompt`)
  const done = isStream ? events.find(({ event }) => event === 'done')?.data['data'] : JSON.parse(text).data
  return { status: response.status, text, events, code, done }
}

/** Nothing is open, held or counted wrongly once every generation has ended; no key and no prompt is stored. */
export async function settled(world: World, name: string, of: SignedIn = world.ada): Promise<void> {
  const { store, app, hasty, fail } = world
  const { aiGenerations: g, aiSpend: s } = aiTables(store)
  await store.system.read(async (db) => {
    const rows = await db.select().from(g).where(eq(g.orgId, of.orgId))
    const spent = await db.select().from(s).where(eq(s.orgId, of.orgId))
    const open = await db.$count(g, and(eq(g.orgId, of.orgId), gt(g.heldTokens, 0)))
    const sum = rows.reduce((tokens, { inputTokens, outputTokens }) => tokens + inputTokens + outputTokens, 0)
    const counted = rows.filter(({ state }) => state !== 'released').length
    const { quotaPools: p } = quotaTables(db)
    const pools = await db.select().from(p).where(eq(p.orgId, of.orgId))
    const used = pools.find(({ type }) => type === 'aiCalls')?.used ?? 0
    const states = new Set(rows.map(({ state }) => state))
    if (states.has('reserved') || states.has('streaming')) fail(`${name}: a generation is open for ever`)
    if (open > 0 || spent.some(({ heldTokens }) => heldTokens !== 0)) fail(`${name}: tokens stay held`)
    const spentTokens = spent.reduce((tokens, row) => tokens + row.spentTokens, 0)
    if (spentTokens !== sum) fail(`${name}: ${spentTokens} tokens are spent, and the rows say ${sum}`)
    if (used !== counted) fail(`${name}: ${used} calls are counted for ${counted} generations`)
    const stored = JSON.stringify([rows, spent])
    if (stored.includes(KEY) || stored.includes(WISH)) fail(`${name}: a key or a prompt is stored`)
  })
  for (const error of [...app.errors.splice(0), ...hasty.errors.splice(0)]) fail(`${name}: ${String(error)}`)
}

/** What left since the last look holds no canary, and went to the fake alone. */
export function looked({ fake, reached, fail }: World, name: string): FakeAi['requests'] {
  const sent = fake.requests.splice(0)
  const canary = CANARY.exec(JSON.stringify(sent))
  if (canary !== null) fail(`${name}: ${canary[0]} left the house`)
  for (const place of reached) if (place !== `127.0.0.1:${fake.port}`) fail(`${name}: ${place} was reached`)
  reached.clear()
  return sent
}

/** Runs the jobs, so many at a time. */
export async function together(jobs: readonly (() => Promise<void>)[], width: number): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let job = jobs[next++]; job !== undefined; job = jobs[next++]) await job()
  }
  await Promise.all(Array.from({ length: width }, worker))
}
