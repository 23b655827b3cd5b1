/**
 * The queue of builds: the table, and what a builder may do with it. Builders are processes of any number; each claim hands
 * out a fence, and every later statement compares it, so that a builder that was given up changes nothing.
 * Source: platform decisions 11; rulings, Plugins that need a builder.
 *
 * INVARIANT: a job is active under one newest fence; an organization never has more active builds than it may; a failure of
 * one organization never removes what another sees.
 */
import { and, asc, count, eq, inArray, lt, lte, max, or, sql } from 'drizzle-orm'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import { outsideRequest, writeEvidence } from '../../runtime/jobs/evidence.js'
import { redactText } from '../../runtime/log/redact.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { announceEntity } from '../../runtime/records/entity.js'
import { isLive } from '../../runtime/records/tombstone.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { isHighestRelease, updatePlugin } from '../record/save.js'
import { type BuildJobRow, type PluginRow, pluginTables } from '../tables.js'
import { afterFailure, type BuildCategory, DEAD_PER_ORG_MAX, LEASE_MS, strideOf } from './plan.js'

export interface BuildClaim {
  readonly jobId: string
  readonly fence: number
  readonly orgId: string
  readonly pluginId: string
  readonly pluginName: string
  readonly version: string
  readonly buildType: string
  /** Of the archive in the blob store. */
  readonly archiveKey: string
  /** 1 for the first of all rounds. */
  readonly attempt: number
  readonly leaseUntilMs: number
  /** The build is given up at this instant. */
  readonly timeoutAtMs: number
}

export interface BuiltImage {
  readonly imageRef: string
  readonly imageDigest: string
  readonly imageSizeBytes: number
}

export interface BuildFailure {
  readonly category: BuildCategory
  readonly message: string
  /** Trying again would not help. */
  readonly isPermanent: boolean
}

export type Held = Pick<BuildClaim, 'jobId' | 'fence'>

export interface BuildQueue {
  /** The next build, in turn; null when none is due or every organization that has one is at its limit. */
  claim(worker: string): Promise<BuildClaim | null>
  /** Extends the lease by 60 s, every 20 s while it works. False: stop, the job is no longer this builder's. */
  heartbeat(held: Held): Promise<boolean>
  /** Adds to the log of the build, of which the last 256 KiB are kept. False as for `heartbeat`. */
  log(held: Held, text: string): Promise<boolean>
  /** The image is there: the plugin becomes ready. False as for `heartbeat`. */
  complete(held: Held, image: BuiltImage): Promise<boolean>
  fail(held: Held, failure: BuildFailure): Promise<boolean>
  /** Hands a job back unbuilt; the attempt does not count. */
  release(held: Held): Promise<boolean>
  /** Takes back builds of builders that went away. @returns how many. */
  reclaim(): Promise<number>
}

const LOG_CHARS_MAX = 262_144
const ERROR_CHARS_MAX = 2000
const DUE = ['waiting', 'delayed']

export function createBuildQueue(runtime: Runtime): BuildQueue {
  const { store, clock, settings } = runtime
  const timeoutMs = settings.PLUGIN_BUILD_TIMEOUT_SECONDS * 1000

  const write = <T>(run: (tx: Tx, nowMs: number) => Promise<T>): Promise<T> =>
    store.system.write(async (tx) => {
      // Claims and endings take turns, so that limits and turns are seen as they are. They are few: a build takes minutes.
      if (tx.database === 'pg') await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtext('plumbline.build_jobs'))`)
      return run(tx, clock.now())
    }, 'plugin.build')

  const holding = <T>(held: Held, run: (tx: Tx, job: BuildJobRow, nowMs: number) => Promise<T>): Promise<T | false> =>
    write(async (tx, nowMs) => {
      const job = await heldJob(tx, held)
      return job === null ? false : run(tx, job, nowMs)
    })

  async function fail(tx: Tx, job: BuildJobRow, failure: BuildFailure, nowMs: number): Promise<void> {
    const { buildJobs } = pluginTables(tx)
    const next = afterFailure(job, {
      isPermanent: failure.isPermanent,
      attemptsMax: settings.PLUGIN_BUILD_MAX_ATTEMPTS,
      roundsMax: settings.PLUGIN_DLQ_MAX_ATTEMPTS,
      nowMs,
    })
    const isExhausted = next.state === 'dead' && next.isExhausted
    await tx
      .update(buildJobs)
      .set({
        state: next.state,
        isExhausted,
        isPermanent: failure.isPermanent,
        runAtMs: 'runAtMs' in next ? next.runAtMs : nowMs,
        leaseUntilMs: null,
        category: failure.category,
        lastError: redactText(failure.message).slice(0, ERROR_CHARS_MAX),
        ...(next.state === 'dead' ? { failedAtMs: nowMs } : {}),
        ...(isExhausted ? { finishedAtMs: nowMs } : {}),
      })
      .where(eq(buildJobs.id, job.id))
    if (next.state === 'dead') await evictDead(tx, job.orgId)
    await setStatus(tx, job, isExhausted ? 'failed' : 'queued')
    if (!isExhausted) return
    const action = failure.category === 'timeout' ? 'plugin.build.timeout' : 'plugin.build.failed'
    await writeEvidence(tx, outsideRequest(runtime), action, {
      orgId: job.orgId,
      targetType: 'plugin',
      targetId: job.pluginId,
      details: { id: job.id, name: job.pluginName, reason: failure.category },
    })
    tx.afterCommit(() => runtime.onEvidence?.())
  }

  async function reclaimIn(tx: Tx, nowMs: number): Promise<number> {
    const { buildJobs } = pluginTables(tx)
    const gone = await tx
      .select()
      .from(buildJobs)
      .where(
        and(
          eq(buildJobs.state, 'active'),
          or(lt(buildJobs.leaseUntilMs, nowMs), lt(buildJobs.startedAtMs, nowMs - timeoutMs)),
        ),
      )
      .limit(100)
    for (const job of gone) {
      const isLate = (job.startedAtMs ?? nowMs) < nowMs - timeoutMs
      const message = isLate ? 'the build took too long' : 'the builder did not answer any more'
      await fail(tx, job, { category: isLate ? 'timeout' : 'unknown', message, isPermanent: false }, nowMs)
    }
    return gone.length
  }

  return {
    claim: (worker) =>
      write(async (tx, nowMs) => {
        await reclaimIn(tx, nowMs)
        await wakeDead(tx, nowMs)
        const job = await nextJob(tx, nowMs, settings.PLUGIN_MAX_BUILDS_PER_ORG)
        if (job === null) return null
        const { buildJobs } = pluginTables(tx)
        const active = {
          state: 'active',
          attempts: job.attempts + 1,
          totalAttempts: job.totalAttempts + 1,
          fence: job.fence + 1,
          startedAtMs: nowMs,
          leaseUntilMs: nowMs + LEASE_MS,
          worker: worker.slice(0, 200),
        }
        await tx.update(buildJobs).set(active).where(eq(buildJobs.id, job.id))
        await setStatus(tx, job, 'building')
        return {
          jobId: job.id,
          fence: active.fence,
          orgId: job.orgId,
          pluginId: job.pluginId,
          pluginName: job.pluginName,
          version: job.version,
          buildType: job.buildType,
          archiveKey: job.archiveKey,
          attempt: active.totalAttempts,
          leaseUntilMs: active.leaseUntilMs,
          timeoutAtMs: nowMs + timeoutMs,
        }
      }),
    heartbeat: (held) =>
      holding(held, async (tx, job, nowMs) => {
        if ((job.startedAtMs ?? nowMs) < nowMs - timeoutMs || (job.leaseUntilMs ?? 0) < nowMs) return false
        const { buildJobs } = pluginTables(tx)
        await tx
          .update(buildJobs)
          .set({ leaseUntilMs: nowMs + LEASE_MS })
          .where(eq(buildJobs.id, job.id))
        return true
      }),
    log: (held, text) =>
      holding(held, async (tx, job) => {
        const { buildJobs } = pluginTables(tx)
        const log = `${job.log}${redactText(text).replaceAll('\0', '')}`.slice(-LOG_CHARS_MAX)
        await tx.update(buildJobs).set({ log }).where(eq(buildJobs.id, job.id))
        return true
      }),
    complete: (held, image) =>
      holding(held, async (tx, job, nowMs) => {
        const { buildJobs } = pluginTables(tx)
        await tx
          .update(buildJobs)
          .set({ state: 'completed', leaseUntilMs: null, finishedAtMs: nowMs, category: null, lastError: null })
          .where(eq(buildJobs.id, job.id))
        const row = await livePlugin(tx, job)
        if (row === null) return true
        const ready: PluginRow = {
          ...row,
          ...image,
          buildStatus: 'ready',
          isActive: true,
          revision: row.revision + 1,
          updatedAtMs: nowMs,
          updatedBy: 'system',
        }
        const isDefault = row.isDefault || row.wantsDefault || (await isHighestRelease(tx, ready))
        await updatePlugin(tx, { ...ready, isDefault })
        await writeEvidence(tx, outsideRequest(runtime), 'plugin.build.completed', {
          orgId: job.orgId,
          targetType: 'plugin',
          targetId: job.pluginId,
          details: { id: job.id, name: job.pluginName },
        })
        const system = { runtime, nowMs, actor: { id: 'system', email: null, role: null, impersonatorId: null } }
        await announceEntity({ ...system, enqueue: (message) => enqueue(tx, runtime, message) }, job.orgId, {
          target: 'plugin',
          entityId: job.pluginId,
          eventType: 'updated',
        })
        tx.afterCommit(() => runtime.onEvidence?.())
        return true
      }),
    fail: (held, failure) =>
      holding(held, async (tx, job, nowMs) => {
        await fail(tx, job, failure, nowMs)
        return true
      }),
    release: (held) =>
      holding(held, async (tx, job, nowMs) => {
        const { buildJobs } = pluginTables(tx)
        await tx
          .update(buildJobs)
          .set({
            state: 'waiting',
            attempts: job.attempts - 1,
            totalAttempts: job.totalAttempts - 1,
            leaseUntilMs: null,
            runAtMs: nowMs,
          })
          .where(eq(buildJobs.id, job.id))
        await setStatus(tx, job, 'queued')
        return true
      }),
    reclaim: () => write(reclaimIn),
  }
}

async function heldJob(tx: Tx, { jobId, fence }: Held): Promise<BuildJobRow | null> {
  const { buildJobs } = pluginTables(tx)
  const [job] = await tx
    .select()
    .from(buildJobs)
    .where(and(eq(buildJobs.id, jobId), eq(buildJobs.fence, fence), eq(buildJobs.state, 'active')))
  return job ?? null
}

/** Dead letters whose next round is due wait again. */
async function wakeDead(tx: Tx, nowMs: number): Promise<void> {
  const { buildJobs } = pluginTables(tx)
  await tx
    .update(buildJobs)
    .set({ state: 'waiting', round: sql`${buildJobs.round} + 1`, attempts: 0 })
    .where(and(eq(buildJobs.state, 'dead'), eq(buildJobs.isExhausted, false), lte(buildJobs.runAtMs, nowMs)))
}

/** The oldest due job of the organization whose turn it is, with its turn taken. */
async function nextJob(tx: Tx, nowMs: number, perOrgMax: number): Promise<BuildJobRow | null> {
  const { buildJobs, buildTurns } = pluginTables(tx)
  const busy = await tx
    .select({ orgId: buildJobs.orgId, active: count() })
    .from(buildJobs)
    .where(eq(buildJobs.state, 'active'))
    .groupBy(buildJobs.orgId)
  const full = new Set(busy.filter(({ active }) => Number(active) >= perOrgMax).map(({ orgId }) => orgId))
  const due = (
    await tx
      .select({ orgId: buildJobs.orgId, tier: max(buildJobs.tier) })
      .from(buildJobs)
      .where(and(inArray(buildJobs.state, DUE), lte(buildJobs.runAtMs, nowMs)))
      .groupBy(buildJobs.orgId)
      .orderBy(asc(buildJobs.orgId))
  ).filter(({ orgId }) => !full.has(orgId))
  const turns = new Map((await tx.select().from(buildTurns)).map((turn) => [turn.orgId, turn]))
  // Whoever comes anew begins where the others are, not with all the turns that they did not want.
  const floor = Math.max(0, ...[...turns.values()].map(({ lastStart }) => lastStart))
  const startOf = (orgId: string) => Math.max(floor, turns.get(orgId)?.pass ?? 0)
  const chosen = [...due].sort((a, b) => startOf(a.orgId) - startOf(b.orgId))[0]
  if (chosen === undefined) return null
  const [job] = await tx
    .select()
    .from(buildJobs)
    .where(and(eq(buildJobs.orgId, chosen.orgId), inArray(buildJobs.state, DUE), lte(buildJobs.runAtMs, nowMs)))
    .orderBy(asc(buildJobs.runAtMs), asc(buildJobs.id))
    .limit(1)
  if (job === undefined) return null
  const start = startOf(job.orgId)
  const turn = { orgId: job.orgId, lastStart: start, pass: start + strideOf(job.tier) }
  await tx.insert(buildTurns).values(turn).onConflictDoUpdate({ target: buildTurns.orgId, set: turn })
  return job
}

async function livePlugin(db: Db, { pluginId, orgId }: BuildJobRow): Promise<PluginRow | null> {
  const { plugins } = pluginTables(db)
  const [row] = await db
    .select()
    .from(plugins)
    .where(and(eq(plugins.id, pluginId), eq(plugins.orgId, orgId), isLive(plugins)))
  return row ?? null
}

async function setStatus(tx: Tx, { pluginId, orgId }: BuildJobRow, buildStatus: string): Promise<void> {
  const { plugins } = pluginTables(tx)
  await tx
    .update(plugins)
    .set({ buildStatus })
    .where(and(eq(plugins.id, pluginId), eq(plugins.orgId, orgId), isLive(plugins)))
}

/** Beyond the cap of one organization its own oldest exhausted dead letters go. */
async function evictDead(tx: Tx, orgId: string): Promise<void> {
  const { buildJobs } = pluginTables(tx)
  const dead = await tx
    .select({ id: buildJobs.id, isExhausted: buildJobs.isExhausted })
    .from(buildJobs)
    .where(and(eq(buildJobs.orgId, orgId), eq(buildJobs.state, 'dead')))
    .orderBy(asc(buildJobs.failedAtMs), asc(buildJobs.id))
  const surplus = dead.length - DEAD_PER_ORG_MAX
  if (surplus <= 0) return
  const ids = dead
    .filter(({ isExhausted }) => isExhausted)
    .slice(0, surplus)
    .map(({ id }) => id)
  if (ids.length > 0) await tx.delete(buildJobs).where(and(eq(buildJobs.orgId, orgId), inArray(buildJobs.id, ids)))
}
