/**
 * Distributes files over several threads, and returns the results in the order of the files.
 * INVARIANT: each worker is at most `windowBatches` batches ahead of what was consumed, so memory stays bounded.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { FileResult } from '../report/finding.js'
import type { Batch, BatchResult, WorkerSetup } from './worker.js'

const batchFiles = 16
const windowBatches = 4

/** The module of the worker, next to the bundle. Sources that were not built have none and run in one thread. */
const workerUrl = new URL('./check-worker.js', import.meta.url)

export function canUseWorkers(): boolean {
  return existsSync(fileURLToPath(workerUrl))
}

export async function* checkWithWorkers(
  files: Batch['files'],
  jobs: number,
  setup: WorkerSetup,
): AsyncGenerator<FileResult> {
  const batches: Batch[] = []
  for (let start = 0; start < files.length; start += batchFiles) {
    batches.push({ ordinal: batches.length, files: files.slice(start, start + batchFiles) })
  }
  const workers = Array.from(
    { length: Math.min(jobs, batches.length) },
    () => new Worker(workerUrl, { workerData: setup }),
  )
  const done = new Map<number, readonly FileResult[]>()
  let next = 0
  let consumed = 0
  let failure: Error | null = null
  let wake: () => void = () => {}

  const idle = new Set(workers)
  const dispatch = () => {
    for (const worker of idle) {
      const batch = batches[next]
      if (!batch || next >= consumed + workers.length * windowBatches) return
      next++
      idle.delete(worker)
      worker.postMessage(batch)
    }
  }
  for (const worker of workers) {
    worker.on('message', ({ ordinal, results }: BatchResult) => {
      done.set(ordinal, results)
      idle.add(worker)
      dispatch()
      wake()
    })
    worker.on('error', (error) => {
      failure = error
      wake()
    })
  }
  try {
    dispatch()
    while (consumed < batches.length) {
      const results = done.get(consumed)
      if (failure) throw failure
      if (!results) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      done.delete(consumed)
      consumed++
      dispatch()
      yield* results
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}
