/** The witness over HTTP (C2SP tlog-witness). Decisions are synchronous, so two requests cannot interleave. */
import { createServer, type Server } from 'node:http'
import { cosign, type SigningKey, type VerifierKey } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import type { WitnessStore } from './witness-store.js'

export interface WitnessSetup {
  readonly key: SigningKey
  readonly logs: ReadonlyMap<string, readonly VerifierKey[]>
  readonly store: WitnessStore
  readonly now: () => Date
  readonly log: (line: string) => void
}

/** A request is a checkpoint and at most 63 hashes. */
const BODY_BYTES_MAX = 256 << 10

export function createWitness({ key, logs, store, now, log }: WitnessSetup): Server {
  return createServer((request, response) => {
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8') => {
      response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
    }
    const path = (request.url ?? '').replace(/\?.*$/s, '')
    if (!path.endsWith('/add-checkpoint')) return answer(404, 'not found: a witness serves add-checkpoint only\n')
    if (request.method !== 'POST') return answer(405, 'use POST\n')
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= BODY_BYTES_MAX) chunks.push(chunk)
    })
    request.on('end', () => {
      if (bytes > BODY_BYTES_MAX) return answer(413, 'the request is too large\n')
      try {
        const body = Buffer.concat(chunks).toString('utf8')
        const seconds = Math.floor(now().getTime() / 1000)
        const result = cosign(nodeCrypto, { body, logs, last: (origin) => store.last(origin), key, now: seconds })
        // INVARIANT: the state is on disk before anyone holds the cosignature.
        if (result.state !== null) store.put(result.state.origin, result.state)
        if (result.state !== null) log(`cosigned ${result.state.origin} at size ${result.state.size}`)
        else log(`refused with ${result.status}: ${result.body.trim()}`)
        answer(result.status, result.body, result.contentType)
      } catch (error) {
        log(`failed: ${error instanceof Error ? error.message : String(error)}`)
        answer(500, 'the witness could not keep its state\n')
      }
    })
  })
}
