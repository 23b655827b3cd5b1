/**
 * Generation and sign-on: drafts compared with the model that writes them, streams, confined sessions, and the cost of
 * both features when they are not used.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bundle } from '../../../packages/server/proof/bundle.js'
import type { BenchArea, BenchOptions, BenchTable } from '../harness.js'

interface Drafts {
  readonly draft: { readonly processorMs: number; readonly beyondARequestMs: number; readonly ms: number }
  readonly firstToken: { readonly toTheModelMs: number; readonly toTheReaderMs: number }
  readonly streams: {
    readonly count: number
    readonly finished: number
    readonly growthMb: number
    readonly othersP99Ms: number
    readonly aloneP99Ms: number
  }
  readonly confined: { readonly ofPlain: number; readonly ofPlainMs: number }
}

interface Start {
  readonly ms: number
  readonly mb: number
}

/** Runs a measurement script of the server. @returns the content of its last line. */
async function measured<T>(script: string, args: readonly string[]): Promise<T> {
  const built = await bundle(`proof/speed/${script}`)
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', built.file, ...args])
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T
  } finally {
    built.clean()
  }
}

async function draftsTable({ quick }: BenchOptions): Promise<BenchTable> {
  const args = quick ? ['5', '20', '10'] : ['200', '200', '200']
  const { draft, firstToken, streams, confined } = await measured<Drafts>('drafts.ts', args)
  if (streams.finished !== streams.count) throw new Error(`${streams.finished} of ${streams.count} streams finished`)
  return {
    title: 'Drafts of a model that takes no time, and confined sessions, SQLite',
    unit: 'ms, MB, shares',
    columns: ['what', 'measured', 'wanted'],
    rows: [
      ['a draft, from the request to its answer', draft.ms, '40 ms'],
      ['processor time of it', draft.processorMs, ''],
      ['from the request to the question to the model', firstToken.toTheModelMs, ''],
      ['from the first piece of the model to the first event', firstToken.toTheReaderMs, '20 ms'],
      [`${streams.count} streams at once: memory`, streams.growthMb, '200 MB'],
      ['p99 of other requests beside them, by that alone', (streams.othersP99Ms / streams.aloneP99Ms).toFixed(2), '2'],
      ['a request of a confined session, of that of a plain one', confined.ofPlainMs, '0.95'],
      ['the same by processor time', confined.ofPlain, ''],
    ],
  }
}

async function unusedTable(): Promise<BenchTable> {
  const { with: all, without } = await measured<{ with: Start; without: Start }>('unused.ts', ['9'])
  return {
    title: 'A server that uses neither generation nor sign-on',
    unit: 'ms until it answers, MB of memory then',
    columns: ['modules', 'start', 'memory'],
    rows: [
      ['all', all.ms.toFixed(0), all.mb.toFixed(1)],
      ['without `ai` and `sso`', without.ms.toFixed(0), without.mb.toFixed(1)],
      ['what they add', (all.ms - without.ms).toFixed(0), (all.mb - without.mb).toFixed(1)],
    ],
    note: 'Wanted: at most 30 ms and 5 MB.',
  }
}

export const area: BenchArea = {
  name: 'drafts',
  summary: 'drafts, streams, confined sessions, and what generation and sign-on cost unused',
  async run(options) {
    const drafts = await draftsTable(options)
    // The quick run leaves this out, because a few starts of a whole server measure nothing.
    return options.quick ? [drafts] : [drafts, await unusedTable()]
  },
}
