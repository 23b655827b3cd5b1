/**
 * Bundles the shard with the engine's sources into one file and runs it in worker threads.
 *
 * The sources may be a copy with a planted bug; the proof's own modules always come from here.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import type { ShardReport, ShardRequest } from './shard.js'
import type { ShardMessage, WorkerRequest } from './shard-worker.js'
import type { Stall } from './stall.js'

export const SOURCES = fileURLToPath(new URL('../src', import.meta.url))
const ENTRY = fileURLToPath(new URL('shard-worker.ts', import.meta.url))
const ENGINE_MODULES = fileURLToPath(new URL('../node_modules', import.meta.url))
const ROOT_MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))

export interface ShardBundle {
  readonly file: string
  dispose(): void
}

export async function bundleShard(sources: string = SOURCES): Promise<ShardBundle> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-proof-'))
  const file = join(folder, 'shard.mjs')
  await build({
    entryPoints: [ENTRY],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    nodePaths: [ENGINE_MODULES, ROOT_MODULES],
    external: ['re2-wasm'],
    plugins: [
      {
        name: 'engine-sources',
        setup({ onResolve }) {
          onResolve({ filter: /^\.\.\/(\.\.\/)?src\// }, ({ path, resolveDir }) => {
            const inside = relative(SOURCES, resolve(resolveDir, path)).replace(/\.js$/, '.ts')
            return { path: join(sources, inside) }
          })
        },
      },
    ],
  })
  return { file, dispose: () => rmSync(folder, { recursive: true, force: true }) }
}

export function runShardIn(
  bundle: ShardBundle,
  request: ShardRequest,
  onProgress: (cases: number) => void = () => {},
): Promise<ShardReport> {
  return inWorker(bundle, request, (message, resolve: (report: ShardReport) => void) => {
    if ('report' in message) resolve(message.report)
    else if ('progress' in message) onProgress(message.progress)
  })
}

/** The longest stall on so many hostile inputs; processor time is the process's, so nothing else should run. */
export function measureStall(bundle: ShardBundle, seed: number, stallInputs: number): Promise<Stall> {
  return inWorker(bundle, { seed, stallInputs }, (message, resolve: (stall: Stall) => void) => {
    if ('stall' in message) resolve(message.stall)
  })
}

function inWorker<T>(
  bundle: ShardBundle,
  request: WorkerRequest,
  onMessage: (message: ShardMessage, resolve: (result: T) => void) => void,
): Promise<T> {
  const worker = new Worker(bundle.file, { workerData: request })
  return new Promise<T>((resolve, reject) => {
    worker.on('message', (message: ShardMessage) => onMessage(message, resolve))
    worker.on('error', reject)
    worker.on('exit', (code) => reject(new Error(`worker ended with code ${code} before its report`)))
  })
}
