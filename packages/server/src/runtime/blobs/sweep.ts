/**
 * Deletes blobs that no row names: of uploads that were refused after their file was stored, of deleted rows, and of
 * deleted organizations. A blob is stored before its row is committed, so a young blob may still be waiting for its
 * row.
 *
 * INVARIANT: a blob that a committed row names stays. The names are read after the list, from the rows of every domain.
 * When they cannot be read, nothing is deleted.
 */
import { defineJob, defineSchedule } from '../jobs/define.js'
import { none } from '../operation/operation.js'
import { strictObject } from '../operation/schema.js'
import type { BlobBackend } from './backend.js'

/** No upload takes longer than this. */
export const UNNAMED_MS_MAX = 86_400_000
const EVERY_MS = 6 * 3_600_000

export const BLOB_SWEEP = 'blob.sweep'

export const sweepBlobsJob = (blobs: BlobBackend) =>
  defineJob({
    kind: BLOB_SWEEP,
    payload: strictObject({}),
    audit: none('files that no record names any more'),
    concurrency: 1,
    async run({ runtime, read, nowMs, signal }) {
      const beforeMs = nowMs - UNNAMED_MS_MAX
      await blobs.tidy(beforeMs)
      for await (const { orgId, keys } of oldBlobs(blobs, beforeMs)) {
        if (signal.aborted) return
        const named = await read(async (db) => {
          const found = new Set<string>()
          for (const domain of runtime.domains) for await (const key of domain.blobs(db, orgId)) found.add(key)
          return found
        })
        for (const key of keys) if (!named.has(key)) await blobs.delete(key)
      }
    },
  })

export const sweepBlobsSchedule = defineSchedule({ name: BLOB_SWEEP, kind: BLOB_SWEEP, everyMs: EVERY_MS, payload: {} })

/**
 * The blobs that are old enough, one organization after the other. A list is in the order of its keys, which begin with
 * the organization.
 */
async function* oldBlobs(
  blobs: BlobBackend,
  beforeMs: number,
): AsyncGenerator<{ readonly orgId: string; readonly keys: readonly string[] }> {
  let orgId = ''
  let keys: string[] = []
  for await (const { key, modifiedAtMs } of blobs.list('')) {
    const owner = key.slice(0, key.indexOf('/'))
    if (owner === '') continue
    if (owner !== orgId) {
      if (keys.length > 0) yield { orgId, keys }
      orgId = owner
      keys = []
    }
    if (modifiedAtMs < beforeMs) keys.push(key)
  }
  if (keys.length > 0) yield { orgId, keys }
}
