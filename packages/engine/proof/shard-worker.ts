/** The worker thread of a shard: its data says what to run, its messages are progress and, at the end, the result. */
import { parentPort, workerData } from 'node:worker_threads'
import { runShard, type ShardReport, type ShardRequest } from './shard.js'
import { longestStall, type Stall } from './stall.js'

export type WorkerRequest = ShardRequest | { readonly stallInputs: number; readonly seed: number }
export type ShardMessage = { readonly progress: number } | { readonly report: ShardReport } | { readonly stall: Stall }

const send = (message: ShardMessage) => parentPort?.postMessage(message)

const request = workerData as WorkerRequest
if ('stallInputs' in request) send({ stall: longestStall(request.seed, request.stallInputs) })
else send({ report: runShard(request, (progress) => send({ progress })) })
