/**
 * Two and three builders race for the builds of one database; one of them is killed with builds in its hands, and one comes
 * too late: each build ends exactly once, none is lost, none is in two hands under one fence, and no organization ever has
 * more builds at a time than it may.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, count, eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bundle } from '../proof/bundle.js'
import { pluginTables } from '../src/plugin/tables.js'
import { systemClock } from '../src/runtime/clock.js'
import { createIds } from '../src/runtime/ids.js'
import type { Runtime } from '../src/runtime/operation/context.js'
import type { Store } from '../src/runtime/store/db.js'
import { openSqliteStore } from '../src/runtime/store/open-store.js'
import { queueBuilds } from './support/queued-builds.js'
import { testSettings } from './support/settings.js'
import { postgresMissing, postgresStore } from './support/stores.js'

/** A lease of 60 s is over in 6, which a builder that is alive does not lose on a slow machine. */
const FACTOR = 10
const BUILDS = 30
const PER_ORG_MAX = 3

/** What is waited for happens; a slow machine only takes its time. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 })

type Mode = 'steady' | 'hangs' | 'late'

interface Builder {
  readonly process: ChildProcess
  isReady: boolean
  readonly claims: string[]
  /** Of each end that was said, what the queue answered. */
  readonly ends: Map<string, boolean>
  problem: string
}

let built: Awaited<ReturnType<typeof bundle>>
beforeAll(async () => {
  built = await bundle('proof/builds/claim-worker.ts')
})
afterAll(() => built.clean())

function start(address: string, baseMs: number, mode: Mode): Builder {
  const child = spawn(process.execPath, [built.file, address, String(baseMs), String(FACTOR), mode])
  const builder: Builder = { process: child, isReady: false, claims: [], ends: new Map(), problem: '' }
  let rest = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [what, job, fence, answer] = line.split(' ')
      if (what === 'ready') builder.isReady = true
      if (what === 'claim') builder.claims.push(`${job} ${fence}`)
      if (what === 'end') builder.ends.set(`${job} ${fence}`, answer === 'true')
    }
  })
  child.stderr.on('data', (chunk: Buffer) => {
    builder.problem += chunk.toString()
  })
  return builder
}

async function race(store: Store, address: string, modes: readonly Mode[]): Promise<void> {
  const { buildJobs, plugins } = pluginTables(await store.system.read(async (db) => db))
  const baseMs = Date.now()
  // Those that shall keep a build are first, so that they have one to keep.
  const first = modes.filter((mode) => mode !== 'steady')
  const builders = (first.length > 0 ? first : modes).map((mode) => start(address, baseMs, mode))
  const hanging = builders[first.indexOf('hangs')]
  const late = builders[first.indexOf('late')]
  // What a builder was told it prints; a moment later it is read.
  const isSaid = (builder: Builder) => builder === hanging || builder.claims.every((claim) => builder.ends.has(claim))
  let mostActive = 0
  const held: string[] = []
  try {
    while (!builders.every(({ isReady }) => isReady)) await sleep(20)
    const runtime: Runtime = {
      clock: systemClock,
      ids: createIds(systemClock),
      store,
      settings: testSettings(),
      domains: [],
    }
    await queueBuilds(runtime, [
      { name: 'One', tier: 'team', builds: BUILDS / 2 },
      { name: 'Two', tier: 'developer', builds: BUILDS / 2 },
    ])
    if (first.length > 0) {
      while (!builders.every(({ claims }) => claims.length > 0)) await sleep(20)
      for (const mode of modes.slice(first.length)) builders.push(start(address, baseMs, mode))
    }
    for (;;) {
      for (const { process: child, problem } of builders) {
        if (child.exitCode !== null) throw new Error(`a builder ended: ${problem}`)
      }
      const rows = await store.system.read((db) =>
        db
          .select({ orgId: buildJobs.orgId, state: buildJobs.state, jobs: count() })
          .from(buildJobs)
          .groupBy(buildJobs.orgId, buildJobs.state),
      )
      const active = rows.filter(({ state }) => state === 'active').map(({ jobs }) => Number(jobs))
      mostActive = Math.max(mostActive, ...active)
      if (rows.every(({ state }) => state === 'completed') && builders.every(isSaid)) break
      if (hanging !== undefined && held.length === 0 && hanging.claims.length > 0) {
        hanging.process.kill('SIGKILL')
        held.push(...hanging.claims.filter((claim) => !hanging.ends.has(claim)))
      }
      await sleep(20)
    }
  } finally {
    for (const { process: child } of builders) child.kill('SIGKILL')
  }
  expect(mostActive).toBeLessThanOrEqual(PER_ORG_MAX)
  // No two hold one build under one fence.
  const claims = builders.flatMap((builder) => builder.claims)
  expect(new Set(claims).size).toBe(claims.length)
  // Each build ends once, by the claim that the row names.
  const ended = builders.flatMap(({ ends }) => [...ends].filter(([, isEnded]) => isEnded).map(([claim]) => claim))
  const jobs = await store.system.read((db) => db.select().from(buildJobs))
  expect(ended.sort()).toEqual(jobs.map(({ id, fence }) => `${id} ${fence}`).sort())
  const made = await store.system.read((db) =>
    db
      .select({ id: plugins.id, imageRef: plugins.imageRef, isActive: plugins.isActive, status: plugins.buildStatus })
      .from(plugins)
      .where(
        and(
          eq(plugins.buildType, 'build_image'),
          inArray(
            plugins.id,
            jobs.map(({ pluginId }) => pluginId),
          ),
        ),
      ),
  )
  const fences = new Map(jobs.map(({ pluginId, fence }) => [pluginId, fence]))
  expect(made.map(({ id, ...rest }) => rest)).toEqual(
    made.map(({ id }) => ({ imageRef: `made/${fences.get(id)}`, isActive: true, status: 'ready' })),
  )
  // What was in dead hands came back, under a later fence and as one more attempt.
  for (const claim of held) {
    const [id, fence] = claim.split(' ')
    const job = jobs.find((each) => each.id === id)
    expect(job?.fence).toBeGreaterThan(Number(fence))
    expect(job?.totalAttempts).toBeGreaterThan(1)
  }
  if (hanging !== undefined) expect(held.length).toBeGreaterThan(0)
  // What came too late changed nothing: of each build that was claimed again, the earlier ends are refused.
  if (late !== undefined) expect([...late.ends.values()]).toContain(false)
}

const CREWS: readonly (readonly Mode[])[] = [
  ['steady', 'steady'],
  ['hangs', 'late', 'steady'],
]
const missing = await postgresMissing()

describe.each(CREWS.map((modes) => [modes.length, modes] as const))('%i builders', (_, modes) => {
  it.skipIf(missing !== null)('share the builds of one PostgreSQL', async () => {
    const store = await postgresStore()
    try {
      await race(store, store.url, modes)
    } finally {
      await store.close()
    }
  })

  it('share the builds of one SQLite file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-claims-'))
    const file = join(folder, 'plumbline.db')
    const store = await openSqliteStore(file)
    try {
      await race(store, file, modes)
    } finally {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
