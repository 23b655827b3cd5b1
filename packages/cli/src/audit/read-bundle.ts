/** Reads a whole bundle into memory, for the commands that write a new one from it. */
import {
  type AuditRecord,
  type BundleManifest,
  type BundleReport,
  BundleVerifier,
  readManifest,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { type Io, UsageError } from '../command.js'
import { keptLines } from './input.js'

export interface Bundle {
  readonly manifest: BundleManifest
  readonly rows: readonly AuditRecord[]
  /** Verified with the keys that the bundle itself offers. That is enough here, because the caller owns the bundle. */
  readonly report: BundleReport
}

/** @throws UsageError for a bundle that does not verify: a command never signs new rows on top of a broken log. */
export async function readBundle(path: string, io: Io): Promise<Bundle> {
  const verifier = new BundleVerifier(nodeCrypto, { trustOfferedKeys: true })
  const values: unknown[] = []
  for await (const { texts, isCut, isTooLong } of keptLines(path, io)) {
    for (const line of texts) {
      if (verifier.pushLine(line, isCut) && line.trim() !== '') values.push(JSON.parse(line))
    }
    if (isTooLong) verifier.pushLine('{')
    if (verifier.isForeign) break
  }
  const report = verifier.finish()
  const manifest = readManifest(values[0])
  if (manifest === null) throw new UsageError(`\`${path}\` is not a bundle`, 'make one with `plumbline audit seal`')
  if (report.verdict !== 'valid') {
    throw new UsageError(
      `\`${path}\` is not valid (${report.reason ?? report.cannotTell})`,
      `run \`plumbline audit verify ${path}\``,
    )
  }
  return { manifest, rows: values.slice(1) as AuditRecord[], report }
}
