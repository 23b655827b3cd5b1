/**
 * `GET /audit/export`: a bundle that verifies without this server (docs/reference/audit-bundle.md), read in pages while
 * the client downloads it. The last event is fixed at the start. When retention or an erasure changes the rows during
 * the export, the server breaks the connection, because the bundle would not verify. Administrators of the organization
 * get it without the identities of foreign actors, which `GET /audit` does not show them either.
 */
import {
  type AuditRecord,
  type BundleManifest,
  canonicalText,
  chainOrigin,
  ERASE_ACTION,
  FOREIGN_IDENTITIES,
  formatCheckpoint,
  formatManifest,
  frontierRoot,
  parseCheckpoint,
  signCheckpoint,
  withholdForeign,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { and, eq, gt } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { notFound, Refusal } from '../../runtime/errors.js'
import { either, permission, systemAdmin, withFeature } from '../../runtime/operation/access.js'
import type { StreamContext } from '../../runtime/operation/context.js'
import { fromHeader, type StreamEvent, stream } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { auditLog } from '../log.js'
import { auditTables } from '../tables.js'
import { anchorOf, checkpointOf, headOf } from './read-anchor.js'
import { PAGE_ROWS, readPage } from './read-pages.js'
import { ACROSS, orgIdField, requestedChain } from './requested-chain.js'

export const exportChain = stream({
  name: 'audit.chain.export',
  summary: "Export an organization's events as a bundle that verifies offline",
  description:
    'JSON Lines: a manifest, then one event a line. `plumbline audit verify FILE --key KEY` checks it. For administrators of the organization the file leaves out e-mail, network address and browser of actors from elsewhere; it still verifies, and says what is left out.',
  http: { method: 'get', path: '/audit/export' },
  access: withFeature('audit_log', either(permission('audit:read'), systemAdmin())),
  tenant: fromHeader,
  acrossForSystemAdmins: ACROSS,
  rateLimit: 'audit-export',
  input: { query: strictObject({ orgId: orgIdField }) },
  output: Type.String(),
  download: {
    media: 'application/jsonl; charset=utf-8',
    fileName: 'audit-log.jsonl',
    example: [
      { plumblineAuditBundle: 1, origin: 'plumbline.example.com', chain: 'system', from: 1, to: 1, complete: true },
      { seq: 1, action: 'org.create', actorId: 'system' },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  },
  errors: ['NOT_FOUND', 'MISSING_REQUIRED_FIELD', 'SERVICE_UNAVAILABLE'],
  async open(context, { query: { orgId } }) {
    const chain = requestedChain(context.authority, orgId)
    const manifest = await context.read((db) => manifestOf(db, context, chain))
    if (manifest === null) throw notFound('Log')
    return lines(context, manifest)
  },
})

async function manifestOf(
  db: Db,
  { runtime, nowMs, authority }: StreamContext,
  chain: string,
): Promise<BundleManifest | null> {
  const head = await headOf(db, chain)
  if (head === null) return null
  const log = auditLog(runtime.settings)
  const anchor = await anchorOf(db, chain)
  const stored = await checkpointOf(db, chain, head.seq)
  const checkpoint = {
    origin: chainOrigin(log.origin, chain),
    size: head.seq,
    root: frontierRoot(nodeCrypto, head.frontier),
    head: head.hash,
  }
  // The stored checkpoint may carry cosignatures of witnesses. If it differs from the head or covers less, another one
  // is signed, so that the export is covered to its end and a contradiction is visible.
  const text = stored === null ? null : (parseCheckpoint(stored.note)?.note.text ?? null)
  const isCovered = text === formatCheckpoint(checkpoint)
  return {
    plumblineAuditBundle: 1,
    origin: log.origin,
    chain,
    from: (anchor?.throughSeq ?? 0) + 1,
    to: head.seq,
    complete: true,
    head: { seq: head.seq, hash: head.hash },
    anchor,
    checkpoints: [
      ...(stored === null ? [] : [stored.note]),
      ...(isCovered ? [] : [signCheckpoint(nodeCrypto, checkpoint, [log.signingKey])]),
    ],
    proofs: [],
    keys: log.keyTexts,
    createdAt: toIso(nowMs),
    // guard: an-export-says-what-it-withholds
    ...(authority.isSuperAdmin ? {} : { withheld: FOREIGN_IDENTITIES }),
  }
}

async function* lines(context: StreamContext, manifest: BundleManifest): AsyncGenerator<StreamEvent<string>> {
  yield piece(`${formatManifest(manifest)}\n`)
  const { chain, from, to } = manifest
  // guard: foreign-identities-in-an-export
  const shown = manifest.withheld === undefined ? (record: AuditRecord) => record : withholdForeign
  for (let after = from - 1; after < to && !context.signal.aborted; ) {
    const page = await context.read(async (db) => {
      const rows = await readPage(db, chain, after, to)
      // Runs after reading, so that it notices any earlier change of the rows.
      await assertUnchanged(db, manifest)
      return rows
    })
    const last = page.at(-1)
    if (last === undefined || (page.length < PAGE_ROWS && last.seq !== to)) throw changedMeanwhile()
    yield piece(page.map((record) => `${canonicalText({ ...shown(record) })}\n`).join(''))
    after = last.seq
  }
}

const piece = (data: string): StreamEvent<string> => ({ event: 'piece', data })

async function assertUnchanged(db: Db, { chain, anchor, to }: BundleManifest): Promise<void> {
  const now = await anchorOf(db, chain)
  const { auditEvents: t } = auditTables(db)
  const erasures = await db
    .select({ seq: t.seq })
    .from(t)
    .where(and(eq(t.chain, chain), gt(t.seq, to), eq(t.action, ERASE_ACTION)))
    .limit(1)
  if ((now?.throughSeq ?? 0) !== (anchor?.throughSeq ?? 0) || erasures.length > 0) throw changedMeanwhile()
}

const changedMeanwhile = () =>
  new Refusal('CONFLICT', 'the log was pruned or erased while it was exported: export again')
