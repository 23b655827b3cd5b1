/**
 * What `plumbline doctor --server` finds: the settings, what follows from them, and what the probe of the server
 * answers.
 */
import type { Io } from '../command.js'
import type { Fact } from './fact.js'
import { loadServer, type Server } from './load-server.js'

const PROBE_MS_MAX = 3_000

export async function serverFacts(io: Io): Promise<Fact[]> {
  const { loadConfig, configPrint, configNotes, runningServer } = await loadServer()
  const config = loadConfig({ environment: io.env, createKeys: false })
  if (!config.ok) {
    return [
      {
        topic: 'settings',
        state: 'wrong',
        text: `${config.issues.length} wrong`,
        details: config.issues.map(({ message }) => message),
      },
    ]
  }
  const given = configPrint(config).filter(({ origin }) => origin !== 'default')
  const { HOST, PORT, TLS_CERT } = config.settings
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST
  const address = `${TLS_CERT === null ? 'http' : 'https'}://${host}:${PORT}`
  return [
    {
      topic: 'settings',
      state: 'ok',
      text: `${given.length} given, the others by default`,
      details: given.map(({ name, value, origin }) => `${name} = ${value ?? 'not set'} (${origin})`),
    },
    ...config.warnings.map(({ message }): Fact => ({ topic: 'settings', state: 'note', text: message })),
    ...configNotes(config).map((text): Fact => ({ topic: 'settings', state: 'note', text })),
    ...(await aboutBilling(config.settings)),
    ...(await aboutBuilder(config.settings)),
    ...(await aboutRegistry(config.settings)),
    ...(await probe(`${runningServer(config.settings) ?? address}/readyz`)),
  ]
}

type Settings = Parameters<Server['checkCardProvider']>[0]

/** Whether the payment provider answers, and whether it fits the plans of this deployment. */
async function aboutBilling(settings: Settings): Promise<Fact[]> {
  if (!settings.BILLING_ENABLED || settings.BILLING_PROVIDER === 'stub') return []
  const { checkCardProvider, checkMarketplace } = await loadServer()
  const isMarketplace = settings.BILLING_PROVIDER === 'marketplace'
  const found = isMarketplace ? await checkMarketplace(settings) : await checkCardProvider(settings)
  const wrong = found.filter(({ state }) => state !== 'ok')
  const name = isMarketplace ? 'marketplace' : 'card provider'
  if (wrong.length === 0) return [{ topic: 'billing', state: 'ok', text: `the ${name} fits what is sold here` }]
  return wrong.map(({ state, text }): Fact => ({ topic: 'billing', state, text }))
}

/** Whether the server can build images on this machine. */
async function aboutBuilder(settings: Settings): Promise<Fact[]> {
  const topic = 'builder'
  const { PLUGIN_BUILDER, REGISTRY_URL } = settings
  if (REGISTRY_URL === null) {
    return [
      { topic, state: 'note', text: 'images of plugins need a registry: `plumbline registry init`, REGISTRY_URL' },
    ]
  }
  if (PLUGIN_BUILDER === 'none') return [{ topic, state: 'note', text: 'images are not built (PLUGIN_BUILDER=none)' }]
  if (PLUGIN_BUILDER === 'remote') {
    return [{ topic, state: 'note', text: 'images are built by `plumbline builder` elsewhere (PLUGIN_BUILDER=remote)' }]
  }
  const { diskLack, groupsLack, localBuilderLacks } = await loadServer()
  const details = await localBuilderLacks({ settings })
  if (details.length === 0) {
    // Looks at the cgroup of this process. A server run by systemd has its own.
    const unbounded = groupsLack()
    const { PLUGIN_IMAGE_MAX_MB, PLUGIN_BUILD_SCRATCH } = settings
    const full = diskLack({ imageMb: PLUGIN_IMAGE_MAX_MB }, PLUGIN_BUILD_SCRATCH ?? undefined)
    return [
      { topic, state: 'ok', text: 'the server builds images on this machine' },
      ...[unbounded, full].flatMap((text) => (text === null ? [] : [{ topic, state: 'note', text } as const])),
    ]
  }
  return PLUGIN_BUILDER === 'local'
    ? [{ topic, state: 'wrong', text: 'the server cannot build images on this machine', details }]
    : [{ topic, state: 'note', text: 'images wait for a builder elsewhere: this machine cannot build', details }]
}

/** Whether the registry answers as one that `plumbline registry init` configured. */
async function aboutRegistry({ REGISTRY_URL }: Settings): Promise<Fact[]> {
  if (REGISTRY_URL === null) return []
  const wrong = (text: string): Fact[] => [{ topic: 'registry', state: 'wrong', text }]
  try {
    const signal = AbortSignal.timeout(PROBE_MS_MAX)
    const response = await fetch(`${REGISTRY_URL}/v2/`, { redirect: 'error', signal })
    await response.body?.cancel()
    const asks = response.headers.get('www-authenticate') ?? ''
    if (response.status === 401 && /^bearer /i.test(asks)) {
      return [{ topic: 'registry', state: 'ok', text: `${REGISTRY_URL} answers and asks for tokens` }]
    }
    return response.ok || response.status === 401
      ? wrong(
          `${REGISTRY_URL} does not ask for tokens: start it with the \`registry.yml\` of \`plumbline registry init\``,
        )
      : wrong(`${REGISTRY_URL} answers ${response.status}: look at its log, or correct REGISTRY_URL`)
  } catch (error) {
    return wrong(`${REGISTRY_URL} cannot be reached (${causeOf(error)}): start the registry, or correct REGISTRY_URL`)
  }
}

function causeOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${PROBE_MS_MAX / 1000} s`
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
}

async function probe(url: string): Promise<Fact[]> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS_MAX) })
    const text = (await response.text()).slice(0, 2000)
    return response.ok
      ? [{ topic: 'server', state: 'ok', text: `ready at ${url}` }, ...failing(text)]
      : [{ topic: 'server', state: 'wrong', text: `${url} answers ${response.status}`, details: [text] }]
  } catch (error) {
    const text = `nothing answers at ${url} (${causeOf(error)}): it does not run here`
    return [{ topic: 'server', state: 'note', text }]
  }
}

/** What a server that is ready lacks, such as Redis. */
function failing(body: string): Fact[] {
  let checks: unknown
  try {
    checks = (JSON.parse(body) as { checks?: unknown }).checks
  } catch {
    return [{ topic: 'server', state: 'wrong', text: 'its answer is not that of a Plumbline server' }]
  }
  return Object.entries((checks ?? {}) as Record<string, string>)
    .filter(([, outcome]) => outcome !== 'ok')
    .map(([name, outcome]): Fact => ({ topic: name, state: 'wrong', text: outcome }))
}
