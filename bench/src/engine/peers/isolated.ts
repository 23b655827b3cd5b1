/**
 * Runs a peer in a separate process. Node 20 crashes in V8's deoptimizer if cel-js and cedar-wasm are optimised in one
 * process, so cedar-wasm is measured separately, on the same entities and in as many rounds.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type BenchOptions, compare } from '../../harness.js'
import { loadEntities } from '../entities.js'
import { rules } from '../rules.js'
import { cedarPeer } from './cedar.js'
import type { Failed } from './peer.js'

export type Workload = 'violating' | 'passing' | 'neglected'

export interface IsolatedResult {
  readonly name: string
  readonly note: string
  readonly perSecond: number
  /** Ids of failed rules of each entity, to compare the verdicts. */
  readonly ids: readonly (readonly string[])[]
}

interface Task extends BenchOptions {
  readonly workload: Workload
}

/** Measures cedar-wasm on a workload in a child process. */
export function measureCedar(workload: Workload, options: BenchOptions): Promise<IsolatedResult> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), { execArgv: ['--import', 'tsx'] })
    child.on('message', (result) => {
      resolve(result as IsolatedResult)
      child.disconnect()
    })
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`the process of cedar-wasm ended with code ${code}`)))
    child.send({ workload, quick: options.quick } satisfies Task)
  })
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.once('message', (task) => process.send?.(measure(task as Task)))
}

function measure({ workload, quick }: Task): IsolatedResult {
  const peer = cedarPeer(rules)
  const prepared = loadEntities()[workload].map((entity) => peer.prepare?.(entity))
  const ids = prepared.map((call) => (peer.check(call) as readonly Failed[]).map(({ ruleId }) => ruleId))
  let next = 0
  const run = () => {
    peer.check(prepared[next])
    next = next + 1 === prepared.length ? 0 : next + 1
    return 1
  }
  const [measured] = compare([{ name: peer.name, run }], { quick })
  return { name: peer.name, note: peer.note ?? '', perSecond: measured?.perSecond ?? Number.NaN, ids }
}
