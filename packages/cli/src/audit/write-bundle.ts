/** Writes a bundle of rows and signs it at its full size. A file appears only when it is complete. */
import { renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type AuditRecord,
  type BundleManifest,
  canonicalText,
  chainOrigin,
  EMPTY_FRONTIER,
  formatManifest,
  formatVerifierKey,
  type SignedAnchor,
  type SigningKey,
  signCheckpoint,
  TreeBuilder,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { type Io, UsageError } from '../command.js'
import { write } from '../program/write.js'

export interface NewBundle {
  readonly origin: string
  readonly chain: string
  readonly rows: readonly AuditRecord[]
  readonly anchor: SignedAnchor | null
  /** Checkpoints and keys that the bundle had before. */
  readonly checkpoints: readonly string[]
  readonly keys: readonly string[]
  /** Which parts are missing from the rows that the bundle is made from. */
  readonly withheld?: BundleManifest['withheld'] | undefined
}

export function signedManifest(bundle: NewBundle, key: SigningKey, io: Io): BundleManifest {
  const tree = new TreeBuilder(nodeCrypto, bundle.anchor?.frontier ?? EMPTY_FRONTIER)
  for (const row of bundle.rows) tree.append(row.hash)
  const last = bundle.rows.at(-1)
  const head = { seq: tree.size, hash: last?.hash ?? bundle.anchor?.hash ?? '' }
  const origin = chainOrigin(bundle.origin, bundle.chain)
  const checkpoint = signCheckpoint(nodeCrypto, { origin, size: tree.size, root: tree.root(), head: head.hash }, [key])
  return {
    plumblineAuditBundle: 1,
    origin: bundle.origin,
    chain: bundle.chain,
    from: bundle.rows[0]?.seq ?? tree.size + 1,
    to: tree.size,
    complete: true,
    head,
    anchor: bundle.anchor,
    checkpoints: [...bundle.checkpoints, checkpoint],
    proofs: [],
    keys: [...new Set([...bundle.keys, formatVerifierKey(key)])],
    createdAt: io.now().toISOString(),
    ...(bundle.withheld === undefined ? {} : { withheld: bundle.withheld }),
  }
}

/** To a file, atomically, or to stdout when none is named. */
export async function writeBundle(
  manifest: BundleManifest,
  rows: readonly AuditRecord[],
  out: string | undefined,
  io: Io,
): Promise<void> {
  const lines = [formatManifest(manifest), ...rows.map((row) => canonicalText({ ...row }))]
  if (out === undefined) {
    for (const line of lines) await write(io.stdout, `${line}\n`)
    return
  }
  const file = resolve(io.cwd, out)
  try {
    writeFileSync(`${file}.partial`, `${lines.join('\n')}\n`)
    renameSync(`${file}.partial`, file)
  } catch (error) {
    throw new UsageError(`\`${out}\` cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
