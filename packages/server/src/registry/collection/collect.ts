/**
 * `plumbline registry collect`: garbage collection, which frees the bytes that no manifest refers to. Push tokens are
 * withheld, issued tokens expire, the registry becomes read-only, its own garbage collection runs, and then the
 * manifests and blobs of the rows are verified.
 *
 * INVARIANT: the garbage collection runs only after the registry has just refused a push.
 */
import { randomUUID } from 'node:crypto'
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { type RegistryClient, RegistryFault, registryClient } from '../client.js'
import { readRepository } from '../reading/read.js'
import { registryTables } from '../tables.js'
import { requireRegistry } from '../visible.js'
import { endHold, renewHold, takeHold } from './hold.js'

const RENEWED_MS = 30_000
/** The registry accepts a token for this long after its expiry. */
const LEEWAY_MS = 60_000
const RESTART_MS_MAX = 60_000
const LOOKED_MS = 500

export interface CollectionSteps {
  /** Restarts the registry as read-only, or as writable again. */
  setReadOnly(isReadOnly: boolean): Promise<void>
  /** Runs the registry's own garbage collection. */
  collect(): Promise<void>
  wait(ms: number): Promise<void>
  tell(text: string): void
}

export interface Collected {
  /** The number of manifests and blobs that existed before and after. */
  readonly kept: number
  /** What existed before and does not any more: `<repository>@<digest>`. */
  readonly lost: readonly string[]
}

/**
 * @throws Refusal 409 while another collection runs, 503 when the registry is not read-only; any error of the steps.
 */
export async function collectRegistry(runtime: Runtime, steps: CollectionSteps): Promise<Collected> {
  requireRegistry(runtime)
  const holder = randomUUID()
  await takeHold(runtime, holder)
  const renewing = setInterval(() => void renewHold(runtime, holder).catch(() => undefined), RENEWED_MS)
  try {
    const ms = runtime.settings.REGISTRY_TOKEN_TTL_SECONDS * 1000 + LEEWAY_MS
    steps.tell(`push is stopped; issued tokens expire in ${Math.ceil(ms / 1000)} s`)
    await steps.wait(ms)
    const registry = registryClient(runtime)
    const before = await readOnlyMeanwhile(registry, steps, async () => {
      const there = await thereNow(runtime, registry)
      steps.tell(`${there.size} manifests and blobs are in use; collecting`)
      await steps.collect()
      return there
    })
    const after = await thereNow(runtime, registry)
    return { kept: after.size, lost: [...before].filter((each) => !after.has(each)) }
  } finally {
    clearInterval(renewing)
    await endHold(runtime, holder)
  }
}

async function readOnlyMeanwhile<T>(
  registry: RegistryClient,
  steps: CollectionSteps,
  run: () => Promise<T>,
): Promise<T> {
  try {
    await steps.setReadOnly(true)
    await until(registry, steps, 'read-only')
    return await run()
  } finally {
    await steps.setReadOnly(false)
    await until(registry, steps, 'writable')
  }
}

/** @throws Refusal 503 when the registry has not reached the state after a minute. */
async function until(registry: RegistryClient, { wait }: CollectionSteps, state: string): Promise<void> {
  let found = 'away'
  for (let ms = 0; ms < RESTART_MS_MAX; ms += LOOKED_MS) {
    found = await registry.writes().catch((error: unknown) => {
      if (error instanceof RegistryFault && error.kind === 'away') return 'away'
      throw error
    })
    // guard: a-registry-that-takes-pushes-is-not-collected
    if (found === state) return
    await wait(LOOKED_MS)
  }
  throw new Refusal('SERVICE_UNAVAILABLE', `the registry is ${found}, not ${state}: check how it was restarted`)
}

/** The manifests of the rows, and their blobs, that the registry has. */
async function thereNow({ store }: Runtime, registry: RegistryClient): Promise<Set<string>> {
  const rows = await store.system.read((db) => {
    const { registryImages: t } = registryTables(db)
    return db.select({ repository: t.repository, digest: t.digest }).from(t)
  })
  const known = new Map<string, string[]>()
  for (const { repository, digest } of rows) known.set(repository, [...(known.get(repository) ?? []), digest])
  const there = new Set<string>()
  for (const [name, digests] of known) {
    const { manifests } = await readRepository(registry, name, new Map(), digests)
    for (const { digest, blobs } of manifests.values()) {
      there.add(`${name}@${digest}`)
      for (const blob of blobs.keys()) {
        const at = `${name}@${blob}`
        if (!there.has(at) && (await registry.blobBytes(name, blob)) !== null) there.add(at)
      }
    }
  }
  return there
}
