/** The scheduled jobs of this domain: checkpoints of chains that grew, and retention. */
import { lt } from 'drizzle-orm'
import { DAY_MS } from '../runtime/clock.js'
import { defineJob, defineSchedule, type Schedule } from '../runtime/jobs/define.js'
import { none } from '../runtime/operation/operation.js'
import { strictObject } from '../runtime/operation/schema.js'
import type { Settings } from '../runtime/settings/load.js'
import { copyDirectory } from './checkpoint/copy.js'
import { publishCheckpoint } from './checkpoint/publish.js'
import { signMoved } from './checkpoint/sign.js'
import { signDirectory } from './checkpoint/sign-directory.js'
import { pruneAll } from './retention/prune.js'
import { auditTables } from './tables.js'

/** Idempotency keys of delivered events are kept this much longer than the events (spec billing-audit 24). */
const KEYS_DAYS = 30

const checkpointChains = defineJob({
  kind: 'audit.checkpoint',
  payload: strictObject({}),
  audit: none('a checkpoint is evidence about evidence'),
  concurrency: 1,
  async run({ runtime }) {
    await signMoved(runtime)
    const directory = await signDirectory(runtime)
    const folder = runtime.settings.AUDIT_CHECKPOINT_DIR
    if (directory !== null && folder !== null) {
      await copyDirectory(folder, directory.createdAtMs, directory.note, directory.heads)
    }
  },
})

const pruneChains = defineJob({
  kind: 'audit.prune',
  payload: strictObject({}),
  audit: none('each pruning writes its own event, in its own transaction'),
  concurrency: 1,
  leaseMs: 10 * 60_000,
  async run({ runtime, nowMs, signal, write }) {
    await pruneAll(runtime, signal)
    const days = runtime.settings.AUDIT_RETENTION_DAYS
    if (days === 0) return
    await write(async ({ tx }) => {
      const { auditIngestKeys: t } = auditTables(tx)
      await tx.delete(t).where(lt(t.createdAtMs, nowMs - (days + KEYS_DAYS) * DAY_MS))
    })
  },
})

export const auditJobs = [checkpointChains, pruneChains, publishCheckpoint]

export const auditSchedules = (settings: Settings): readonly Schedule[] => [
  defineSchedule({
    name: 'audit.checkpoint',
    kind: checkpointChains.kind,
    everyMs: settings.AUDIT_CHECKPOINT_INTERVAL_MS,
    payload: {},
  }),
  defineSchedule({ name: 'audit.prune', kind: pruneChains.kind, everyMs: DAY_MS, payload: {} }),
]
