/**
 * `npx tsx packages/server/proof/speed/registry.ts [ROUNDS]`: tokens for the registry at 64 clients beside a bare GET by processor
 * time, copies of
 * an image of ten layers by mounting beside curl's requests alone, and the list of a repository with 10,000 tags. One server
 * process on SQLite, one real docker-registry, all on this machine; each figure is the median of the rounds.
 */
import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { TENANT_OPERATIONS } from '../../src/identity/tenant-operations.js'
import { pluginNames } from '../../src/plugin/entities.js'
import { registryClient } from '../../src/registry/client.js'
import { bundleOf } from '../../src/registry/keys.js'
import { newTokenKey } from '../../src/registry/new-key.js'
import { registryOperations } from '../../src/registry/operations.js'
import { registryRegistration } from '../../src/registry/registration.js'
import { tokenFor } from '../../src/registry/sign.js'
import { registryTables } from '../../src/registry/tables.js'
import { systemClock } from '../../src/runtime/clock.js'
import { createHttp } from '../../src/runtime/http/mount.js'
import { pluginNamesPort } from '../../src/runtime/records/plugin-names.js'
import { stepUp, superAdmin } from '../../test/support/organizations.js'
import { pluginApp } from '../../test/support/plugins.js'
import { freePort, startRegistry } from '../../test/support/registry.js'
import { signUp } from '../../test/support/sign-in.js'
import { sqliteStore } from '../../test/support/stores.js'

const LOAD = fileURLToPath(new URL('../../../../bench/src/server/load.mjs', import.meta.url))
const CLIENTS = 64
const LAYERS = 10
const TAGS = 10_000
const ASKED_MS = 3000

interface Ready {
  readonly port: number
  readonly token: string
  readonly admin: string
  readonly orgId: string
  readonly registry: string
  /** By which curl asks for one copy. */
  readonly bearer: string
  readonly layers: readonly string[]
  readonly manifest: string
}

if (process.argv[2] === 'target') await target()
else await measure(Number(process.argv[2] ?? 5))

async function target(): Promise<void> {
  const store = await sqliteStore()
  const port = await freePort()
  const keys = newTokenKey(Date.now())
  const app = await pluginApp(store, {
    operations: [...registryOperations, ...TENANT_OPERATIONS],
    domains: [registryRegistration],
    settings: { REGISTRY_URL: `http://127.0.0.1:${port}`, REGISTRY_TOKEN_KEYS: keys },
  })
  app.ports.set(pluginNamesPort, pluginNames)
  app.clock.advance(systemClock.now() - app.clock.now())
  const bundle = bundleOf(app.runtime.settings.REGISTRY_TOKEN_KEYS ?? [])
  const registry = await startRegistry(bundle, 'http://127.0.0.1:1/api/registry/token', port)
  const ann = await signUp(app, 'ann')
  const root = await superAdmin(app, 'root')
  const headers = await stepUp(app, ann)
  const { token } = (await app.call('POST', '/auth/pats', { as: ann, body: { name: 'speed' }, headers })).data
  const from = `org-${ann.orgId}/tools`
  const client = registryClient(app.runtime)
  const blobs = [Buffer.from(JSON.stringify({ architecture: 'amd64', os: 'linux' }))]
  for (let n = 0; n < LAYERS; n++) blobs.push(randomBytes(100_000))
  for (const blob of blobs) await client.putBlob(from, blob)
  const described = (bytes: Buffer, type: string) => ({
    ...{ mediaType: `application/vnd.oci.image.${type}`, size: bytes.length },
    digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  })
  const [config = Buffer.alloc(0), ...layers] = blobs
  const media = 'application/vnd.oci.image.manifest.v1+json'
  const parts = layers.map((layer) => described(layer, 'layer.v1.tar'))
  const manifest = { schemaVersion: 2, mediaType: media, config: described(config, 'config.v1+json'), layers: parts }
  await client.putManifest(from, '1', { bytes: Buffer.from(JSON.stringify(manifest)), media })
  await withTags(store, ann.orgId)
  const bearer = tokenFor(app.runtime, 'speed', [
    { type: 'repository', name: from, actions: ['pull'] },
    { type: 'repository', name: `org-${ann.orgId}/curl`, actions: ['pull', 'push'] },
  ])
  const echo = new Hono().get('/echo', (c) => c.json({ success: true, data: { id: 'x'.repeat(480) } }))
  // As the server answers: the test's own floor holds each answer to its schema.
  const http = createHttp({
    runtime: app.runtime,
    operations: [...registryOperations],
    authenticator: app.identity.authenticator,
    basePath: '/api',
    onError: (error) => console.error(error),
    checkResponses: false,
  })
  const fetch = (request: Request) => (request.url.endsWith('/echo') ? echo.fetch(request) : http.fetch(request))
  serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port: listens }) => {
    const ready: Ready = {
      ...{ port: listens, token, admin: root.accessToken, orgId: ann.orgId, registry: registry.url, bearer },
      ...{ layers: [config, ...layers].map((each) => described(each, '').digest), manifest: JSON.stringify(manifest) },
    }
    process.stdout.write(`${JSON.stringify(ready)}\n`)
  })
  process.once('SIGTERM', () => void registry.stop().then(() => process.exit(0)))
}

async function withTags(store: Awaited<ReturnType<typeof sqliteStore>>, orgId: string): Promise<void> {
  await store.system.write(async (tx) => {
    const { registryRepositories, registryTags } = registryTables(tx)
    const name = `org-${orgId}/many`
    const same = { orgId, isShared: false, createdAtMs: 0 }
    await tx
      .insert(registryRepositories)
      .values({ ...same, name, images: 1, tags: TAGS, bytes: 1, updatedAtMs: 0, reading: 0 })
    for (let at = 0; at < TAGS; at += 500) {
      const some = Array.from({ length: 500 }, (_, n) => ({
        ...{ ...same, repository: name, tag: `v${at + n}`, digest: `sha256:${'a'.repeat(64)}`, bytes: 1 },
      }))
      await tx.insert(registryTags).values(some)
    }
  })
}

async function measure(rounds: number): Promise<void> {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), 'target']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      await rows(child.pid ?? 0, JSON.parse(line) as Ready, rounds)
      return
    }
  } finally {
    child.kill('SIGTERM')
  }
}

async function rows(pid: number, ready: Ready, rounds: number): Promise<void> {
  const { port, token, orgId, admin } = ready
  const scope = `repository:org-${orgId}/tools:pull,push`
  const path = `/api/registry/token?service=plumbline-registry&scope=${encodeURIComponent(scope)}`
  const basic = { authorization: `Basic ${Buffer.from(`ann:${token}`).toString('base64')}` }
  const tags = `/api/images/${encodeURIComponent(`org-${orgId}/many`)}/tags?limit=100`
  const shares: number[] = []
  const [tokens, echoes, lists, ends, copies, curls]: number[][] = [[], [], [], [], [], []]
  for (let round = 0; round < rounds; round++) {
    const at = { port, clients: CLIENTS, ms: ASKED_MS, method: 'GET' }
    const echo = await costOf(pid, () => load({ ...at, path: '/echo' }))
    const given = await costOf(pid, () => load({ ...at, path, headers: basic }))
    echoes?.push(echo)
    tokens?.push(given)
    shares.push(echo / given)
    const one = { port, clients: 1, ms: 60_000, requests: 50, method: 'GET' }
    const headers = { authorization: `Bearer ${token}` }
    lists?.push((await load({ ...one, path: tags, headers })).p50)
    ends?.push((await load({ ...one, path: `${tags}&offset=9900`, headers })).p50)
    copies?.push(await timed(() => copy(port, admin, orgId, round)))
    curls?.push(await timed(() => curled(ready, round)))
  }
  console.log(
    `token, ${CLIENTS} clients: ${median(tokens)} µs of processor, bare GET ${median(echoes)} µs, share ${median(shares)}`,
  )
  console.log(`copy of ${LAYERS} layers: ${median(copies)} ms, curl alone ${median(curls)} ms`)
  console.log(`100 of ${TAGS} tags: first page ${median(lists)} ms, last page ${median(ends)} ms`)
}

/** Processor time of the server for one request, in µs: on a busy machine the rate is that of its neighbours. */
async function costOf(pid: number, ask: () => Promise<{ requests: number }>): Promise<number> {
  const ticks = () => {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    return fields
      .split(' ')
      .slice(11, 13)
      .reduce((sum, each) => sum + Number(each), 0)
  }
  const before = ticks()
  const { requests } = await ask()
  return ((ticks() - before) * 10_000) / requests
}

async function copy(port: number, admin: string, orgId: string, round: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/images/copy`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({ source: `org-${orgId}/tools:1`, target: `system/copy${round}:1` }),
  })
  if (answer.status !== 200) throw new Error(`the copy: ${answer.status} ${await answer.text()}`)
}

/** The same requests by one curl: a mount of each blob, and the manifest. */
async function curled({ registry, bearer, orgId, layers, manifest }: Ready, round: number): Promise<void> {
  const to = `${registry}/v2/org-${orgId}/curl`
  const auth = ['-s', '-f', '-o', '/dev/null', '-H', `Authorization: Bearer ${bearer}`]
  const mounts = layers.flatMap((digest) => [
    ...['--next', ...auth, '-X', 'POST'],
    `${to}/blobs/uploads/?mount=${digest}&from=org-${orgId}/tools`,
  ])
  const media = 'Content-Type: application/vnd.oci.image.manifest.v1+json'
  const put = ['--next', ...auth, '-X', 'PUT', '-H', media, '-d', manifest, `${to}/manifests/${round}`]
  await promisify(execFile)('curl', [...mounts.slice(1), ...put])
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

interface Loaded {
  readonly requests: number
  readonly p50: number
  readonly statuses: Readonly<Record<string, number>>
}

async function load(task: object): Promise<Loaded> {
  const { stdout } = await promisify(execFile)(process.execPath, [LOAD, JSON.stringify(task)])
  const result = JSON.parse(stdout) as Loaded
  const bad = Object.keys(result.statuses).filter((status) => !status.startsWith('2'))
  if (bad.length > 0) throw new Error(`it answered ${JSON.stringify(result.statuses)}`)
  return result
}

function median(values: readonly number[] = []): string {
  return String(Number(([...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN).toPrecision(3)))
}
