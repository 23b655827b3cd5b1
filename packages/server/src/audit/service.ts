/**
 * The audit domain in a running process. It seals the events that operations write and signs what was sealed. At
 * shutdown it completes both, so that every acknowledged event is sealed and covered by a checkpoint.
 */
import { and, eq, sql } from 'drizzle-orm'
import type { HealthCheck } from '../runtime/health/health.js'
import type { Service } from '../runtime/manifest.js'
import { noMetrics } from '../runtime/metrics/port.js'
import type { Runtime } from '../runtime/operation/context.js'
import { perRuntime } from '../runtime/per-runtime.js'
import type { ChainMoved } from './chain/append.js'
import { outboxState } from './chain/pending.js'
import { auditSequencer } from './chain/start-sequencer.js'
import { copyCheckpoint, copyDirectory } from './checkpoint/copy.js'
import { signMoved } from './checkpoint/sign.js'
import { RolledBack, signDirectory } from './checkpoint/sign-directory.js'
import { auditTables } from './tables.js'

export interface Audit {
  readonly lag: HealthCheck
  readonly service: Service
  /** Called when an audit event was committed. */
  wake(): void
  /**
   * Signs every chain that grew and the directory, and copies the checkpoints. Runs after the sequencer has drained.
   */
  checkpointAll(): Promise<void>
}

/** `/readyz` reports a longer delay of sealing (spec billing-audit 24). */
const LAG_MS_MAX = 60_000

/** One for each runtime. */
export const auditOf = perRuntime((runtime) =>
  createAudit(runtime, (error) => runtime.log?.write('audit.task_failed', { error })),
)

export function createAudit(runtime: Runtime, onError: (error: unknown) => void): Audit {
  const { store, clock, settings, metrics = noMetrics } = runtime
  let signing: Promise<unknown> | null = null

  /** Signs before the next scheduled checkpoint when a chain grew by many events. */
  function onMoved(moved: readonly ChainMoved[]): void {
    const every = settings.AUDIT_CHECKPOINT_EVERY
    if (signing !== null || !moved.some(({ seq, checkpointSize }) => seq - checkpointSize >= every)) return
    signing = signMoved(runtime, every)
      .catch(onError)
      .finally(() => {
        signing = null
      })
  }

  const sequencer = auditSequencer({ store, clock, metrics, onError, onMoved })

  async function checkpointAll(): Promise<void> {
    await signing
    await signMoved(runtime)
    const directory = await signDirectory(runtime)
    const folder = settings.AUDIT_CHECKPOINT_DIR
    if (folder === null) return
    await copyNewest(runtime, folder)
    if (directory !== null) await copyDirectory(folder, directory.createdAtMs, directory.note, directory.heads)
  }

  const lag: HealthCheck = {
    name: 'audit',
    isOptional: true,
    async check() {
      const { count, ageMs } = await store.system.read((db) => outboxState(db, clock.now()))
      return ageMs > LAG_MS_MAX
        ? `${count} events wait to be sealed, the oldest ${Math.round(ageMs / 1000)} s`
        : undefined
    },
  }

  return {
    wake: () => sequencer.wake(),
    checkpointAll,
    lag,
    service: {
      start: () => sequencer.start(),
      async drain(msMax) {
        if (!(await sequencer.drain(msMax)))
          onError(new Error('events are left in the outbox; they are sealed after the next start'))
        await sequencer.stop()
        await checkpointAll().catch((error: unknown) => {
          if (!(error instanceof RolledBack)) throw error
          onError(error)
        })
      },
      cut: () => void sequencer.stop(),
    },
  }
}

/** Copies the checkpoints of the current heads, since no further job will run. A file that exists is left alone. */
async function copyNewest(runtime: Runtime, folder: string): Promise<void> {
  const notes = await runtime.store.system.read((db) => {
    const { auditHeads: h, auditCheckpoints: c } = auditTables(db)
    return db
      .select({ chain: c.chain, size: c.size, note: c.note })
      .from(c)
      .innerJoin(h, and(eq(h.chain, c.chain), sql`${h.checkpointSize} = ${c.size}`))
  })
  for (const { chain, size, note } of notes) await copyCheckpoint(folder, chain, size, note)
}
