/** Sweeps the inventory of one scan by id, page by page and batch by batch, starting after the last committed batch. */
import type { Target } from '@plumbline/engine'
import type { JobContext, JobWrite } from '../../runtime/jobs/define.js'
import { giveWay } from '../../runtime/yield-to-requests.js'
import type { Held } from '../rule-stamp.js'
import type { ScanRow } from '../tables.js'
import { writeBatch } from './batch.js'
import { type Evaluated, evaluateEntity, type InventoryPage, PAGE, readPage } from './evaluate.js'
import { targetsOf } from './record.js'

/** The counts are written at least this often (spec compliance 10). */
const PROGRESS_MS_MAX = 250

/** Why a scan cannot continue, as a message for its readers. */
export class ScanFailure extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'ScanFailure'
  }
}

export type ScanJob = Pick<JobContext<never>, 'runtime' | 'signal' | 'read' | 'write'>

/**
 * @returns the scan with everything counted. @throws ScanFailure, Overtaken, LeaseLost, or the abort reason of the
 * signal.
 */
export async function sweep(job: ScanJob, claimed: ScanRow, held: Held): Promise<ScanRow> {
  let scan = claimed
  for (const target of targetsLeft(scan)) {
    for (let isFull = true; isFull; ) {
      const afterId = scan.cursorTarget === target ? (scan.cursorId ?? '') : ''
      const page = await orFail('the records or the rules could not be read', () =>
        job.read((db) => readPage(db, job.runtime, { scan, held }, { target, afterId })),
      )
      isFull = page.entities.length === PAGE
      scan = await sweepPage(job, scan, held, page)
    }
  }
  return scan
}

/** The target of the cursor and the targets after it. */
function targetsLeft(scan: ScanRow): readonly Target[] {
  const targets = targetsOf(scan)
  const at = targets.findIndex((target) => target === scan.cursorTarget)
  return at === -1 ? targets : targets.slice(at)
}

async function sweepPage(job: ScanJob, before: ScanRow, held: Held, page: InventoryPage): Promise<ScanRow> {
  const { runtime, signal } = job
  const { COMPLIANCE_SCAN_CONCURRENCY: atOnce, COMPLIANCE_SCAN_PROGRESS_BATCH_SIZE: batchSize } = runtime.settings
  let scan = before
  let batch: Evaluated[] = []
  let flushedMs = performance.now()
  const flush = async () => {
    const full = batch
    batch = []
    scan = await orFail('the results could not be written', () =>
      job.write(({ tx, nowMs }: JobWrite<never>) => writeBatch(tx, runtime, scan, full, nowMs)),
    )
    flushedMs = performance.now()
  }
  for (const [at, entity] of page.entities.entries()) {
    batch.push(evaluateEntity(runtime, { scan, held }, page, entity))
    if (batch.length >= batchSize || performance.now() - flushedMs >= PROGRESS_MS_MAX) await flush()
    if ((at + 1) % atOnce === 0) await giveWay()
    if (signal.aborted) throw signal.reason
  }
  if (batch.length > 0) await flush()
  return scan
}

async function orFail<T>(message: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (cause instanceof Error && PASSED_ON.has(cause.name)) throw cause
    throw new ScanFailure(message, cause)
  }
}

/** Errors that end this run of the job but do not make the scan fail. */
const PASSED_ON: ReadonlySet<string> = new Set(['Overtaken', 'LeaseLost'])
