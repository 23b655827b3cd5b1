/** Takes the rows of deleted images out, in the transaction that records the deletion. */
import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { registryTables } from '../tables.js'

/**
 * The registry may accept several deletions of one image at the same time; the rows tell which of them counts.
 *
 * @returns the images that had a row until now.
 */
export async function forgetImages(tx: Tx, repository: string, digests: readonly string[]): Promise<Set<string>> {
  const t = registryTables(tx)
  const forgotten = new Set<string>()
  for (let at = 0; at < digests.length; at += 500) {
    const some = digests.slice(at, at + 500)
    const images = await tx
      .delete(t.registryImages)
      .where(and(eq(t.registryImages.repository, repository), inArray(t.registryImages.digest, some)))
      .returning({ digest: t.registryImages.digest })
    for (const { digest } of images) forgotten.add(digest)
    await tx
      .delete(t.registryBlobs)
      .where(and(eq(t.registryBlobs.repository, repository), inArray(t.registryBlobs.image, some)))
    await tx
      .delete(t.registryTags)
      .where(and(eq(t.registryTags.repository, repository), inArray(t.registryTags.digest, some)))
  }
  return forgotten
}
