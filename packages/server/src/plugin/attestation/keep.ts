/** Attestations of an image, stored apart from it: documents in the blob store, referenced by the plugin's row. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { notFound, Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Attestations, KeptDocument } from '../image/attestations.js'
import type { PluginRow } from '../tables.js'

/** @throws Refusal 502 or 503 when the document cannot be stored. */
export async function keepDocument({ blobs, ids }: Runtime, orgId: string, bytes: Buffer): Promise<KeptDocument> {
  if (blobs === undefined) throw new Refusal('SERVICE_UNAVAILABLE', 'documents cannot be stored here')
  const key = `${orgId}/plugins/${ids.next()}`
  await blobs.put(key, Readable.from([bytes]), bytes.length)
  return { key, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** @throws Refusal 404 for a plugin without the document. */
export async function keptDocument(
  { blobs }: Runtime,
  { attestations }: Pick<PluginRow, 'attestations'>,
  kind: keyof Attestations,
): Promise<Buffer> {
  const kept = attestations?.[kind]
  const stream = kept === undefined ? null : await blobs?.open(kept.key)
  if (kept === undefined || stream === null || stream === undefined) throw notFound(NAMES[kind])
  const bytes = await buffer(stream)
  // guard: a-document-of-an-image-is-what-was-kept
  if (createHash('sha256').update(bytes).digest('hex') === kept.sha256) return bytes
  throw new Refusal('UPSTREAM_ERROR', 'the blob store has other bytes than were stored: restore it from a backup')
}

const NAMES = { sbom: 'Bill of materials', provenance: 'Provenance' } as const
