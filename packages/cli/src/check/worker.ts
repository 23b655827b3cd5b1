/** A worker thread of `check`: compiles the rules once, then answers each batch of files with its results. */
import { parentPort, workerData } from 'node:worker_threads'
import { compileRules, type Limits, type Rule } from '@plumbline/engine'
import type { FileResult } from '../report/finding.js'
import { type CheckOptions, checkParsed } from './check-file.js'
import { readEntityFile } from './read-entity-file.js'

export interface WorkerSetup {
  readonly rules: readonly Rule[]
  readonly limits: Limits
  readonly options: CheckOptions
  readonly maxFileBytes: number
}

export interface Batch {
  readonly ordinal: number
  readonly files: readonly { readonly path: string; readonly file: string }[]
}

export interface BatchResult {
  readonly ordinal: number
  readonly results: readonly FileResult[]
}

const { rules, limits, options, maxFileBytes } = workerData as WorkerSetup
const ruleSet = compileRules(rules, { limits })

parentPort?.on('message', ({ ordinal, files }: Batch) => {
  const results = files.map(({ path, file }) => {
    return checkParsed(file, readEntityFile(path, file, maxFileBytes), ruleSet, options)
  })
  parentPort?.postMessage({ ordinal, results } satisfies BatchResult)
})
