/** An audit log whose newest checkpoint covers only its first events, as somebody who appends events leaves it. */
import { canonicalText, createSigningKey, formatManifest, formatVerifierKey, scrub } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { crypto, eventAt, Random, sealAll } from '../../../audit-chain/test/support/fixture.js'
import { signedManifest } from '../../src/audit/write-bundle.js'
import { collector, memoryIo } from './memory-io.js'

const KEY = createSigningKey(nodeCrypto, 'plumbline-audit', new Uint8Array(32).fill(7))
export const VERIFIER_KEY = formatVerifierKey(KEY)

export interface Claim {
  readonly action: string
  readonly targetId?: string
  readonly details: Readonly<Record<string, unknown>>
}

/** The chain holds an ordinary event and then these. The checkpoint covers the first `covered` of all events. */
export function partlyCovered(chain: string, covered: number, claims: readonly Claim[]): string {
  const random = new Random(1)
  const events = claims.map(({ details, ...claim }, index) => ({
    ...eventAt(index + 2, random, chain),
    ...claim,
    details: scrub(crypto, details).details,
  }))
  const rows = sealAll([eventAt(1, random, chain), ...events], random)
  const bundle = { origin: 'audit.example.com', chain, anchor: null, checkpoints: [], keys: [] }
  const signed = signedManifest(
    { ...bundle, rows: rows.slice(0, covered) },
    KEY,
    memoryIo({}, collector().stream, collector().stream),
  )
  const manifest = { ...signed, to: rows.length, head: { seq: rows.length, hash: rows.at(-1)?.hash ?? '' } }
  return [formatManifest(manifest), ...rows.map((row) => canonicalText({ ...row }))].join('\n')
}
