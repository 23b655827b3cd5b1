/** The result of inspecting an uploaded archive, as a value that the reader process can send. */
import { ManifestFault, type ManifestIssue } from '../manifest/issue.js'
import { type Manifest, readManifest } from '../manifest/read.js'
import { extractInto } from './extract.js'
import { ArchiveFault, type ArchiveIssue } from './fault.js'
import type { ArchiveLimits } from './limits.js'
import { withArchive } from './read.js'

export type Inspection =
  | { readonly kind: 'plugin'; readonly manifest: Manifest; readonly entries: number; readonly bytes: number }
  | { readonly kind: 'archive'; readonly issues: readonly ArchiveIssue[] }
  | { readonly kind: 'manifest'; readonly issues: readonly ManifestIssue[] }

/** @param extractTo an empty folder into which the contents are unpacked after all checks have passed. */
export async function inspectArchive(path: string, limits: ArchiveLimits, extractTo?: string): Promise<Inspection> {
  try {
    return await withArchive(path, limits, async (archive) => {
      const manifest = await readManifest(archive)
      if (extractTo !== undefined) await extractInto(archive, extractTo)
      return { kind: 'plugin', manifest, entries: archive.entries.length, bytes: archive.bytes }
    })
  } catch (error) {
    if (error instanceof ArchiveFault) return { kind: 'archive', issues: error.issues }
    if (error instanceof ManifestFault) return { kind: 'manifest', issues: error.issues }
    throw error
  }
}
