/** Starts the sequencer of audit events: the generic loop of the runtime with this domain's sealing pass. */
import type { Clock } from '../../runtime/clock.js'
import { createSequencer, type Sequencer } from '../../runtime/jobs/sequencer.js'
import type { Metrics } from '../../runtime/metrics/port.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import type { Store } from '../../runtime/store/db.js'
import { type ChainMoved, HeadMoved } from './append.js'
import { outboxState } from './pending.js'
import { sealBatch } from './seal-batch.js'

export interface AuditSequencerOptions {
  readonly store: Store
  readonly clock: Clock
  readonly metrics: Metrics
  readonly onError: (error: unknown) => void
  /** Called after the commit with the chains that grew. */
  readonly onMoved?: (moved: readonly ChainMoved[]) => void
  /** Without it several replicas seal at the same time, and all but one of them fail. */
  readonly lease?: boolean
}

export function auditSequencer(options: AuditSequencerOptions): Sequencer {
  const { store, clock, metrics, onError, onMoved, lease = true } = options
  return createSequencer({
    async pass() {
      const batch = await store.system.write((tx) => sealBatch(tx, { lease }), 'audit.seal')
      if (batch.moved.length > 0) onMoved?.(batch.moved)
      return batch
    },
    // A sequencer that reads the outbox before another process commits, and the head after it, would seal the same
    // events again. That is a conflict and not a failure.
    // guard: a-conflict-is-no-failure
    isConflict: (error) => error instanceof HeadMoved || brokenUniqueConstraint(error) !== null,
    pending: () => store.system.read((db) => outboxState(db, clock.now())),
    metrics,
    onError,
  })
}
