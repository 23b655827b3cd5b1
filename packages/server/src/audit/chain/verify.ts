/** `GET /audit/verify`: verify an organization's chain of events. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { jobTables } from '../../runtime/jobs/tables.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { auditLog } from '../log.js'
import { signedHeads } from './directories.js'
import { ACROSS, chainAccess, orgIdField, requestedChain } from './requested-chain.js'
import { verifyStoredChain } from './verify-chain.js'

const REASONS = [
  'anchor_mismatch',
  'chain_mismatch',
  'sequence_gap',
  'link_mismatch',
  'hash_mismatch',
  'malformed_row',
  'backdated',
  'unexplained_erasure',
  'truncated',
  'head_mismatch',
  'checkpoint_mismatch',
] as const

const head = nullable(strictObject({ seq: Type.Integer(), hash: Type.String() }))

export const verifyChain = query({
  name: 'audit.chain.verify',
  summary: "Verify an organization's chain of events",
  description:
    'Checks every row, the head, the anchor of the pruned prefix and the newest checkpoint. The check uses only the database of the server: compare the result with a checkpoint that you kept if you do not trust it.',
  http: { method: 'get', path: '/audit/verify' },
  access: chainAccess,
  tenant: fromHeader,
  acrossForSystemAdmins: ACROSS,
  input: { query: strictObject({ orgId: orgIdField }) },
  output: strictObject({
    ok: Type.Boolean({ description: 'The verdict is not `invalid`' }),
    verdict: Type.Enum(['valid', 'invalid', 'cannot-tell']),
    cannotTell: Type.Optional(Type.String({ description: 'Why the log could not be verified' })),
    chain: Type.String(),
    count: Type.Integer({ description: 'Rows that were read' }),
    firstSeq: nullable(Type.Integer()),
    lastSeq: nullable(Type.Integer()),
    brokenAt: Type.Optional(nullable(Type.String({ description: 'Id of the first bad row; null when it is missing' }))),
    brokenSeq: Type.Optional(nullable(Type.Integer())),
    reason: Type.Optional(Type.Enum([...REASONS])),
    erased: Type.Integer({ description: 'Rows with erased data that an event explains' }),
    pending: Type.Integer({ description: 'Events that wait to be sealed' }),
    coveredThrough: Type.Integer({ description: 'Newest event that a verified checkpoint covers' }),
    head,
    anchor: nullable(strictObject({ throughSeq: Type.Integer(), hash: Type.String() })),
    checkpoint: nullable(strictObject({ size: Type.Integer(), verified: Type.Boolean() })),
    doubts: Type.Array(strictObject({ code: Type.String(), text: Type.String() }), {
      description: 'Changes that this verification cannot detect',
    }),
  }),
  errors: ['NOT_FOUND', 'MISSING_REQUIRED_FIELD', 'SERVICE_UNAVAILABLE'],
  snapshot: true,
  /**
   * The directories name every organization, so they are read as the system and not with the tenant's role. They are
   * read before the snapshot that is verified: an event that was signed in between is in that snapshot.
   */
  async prepare({ runtime }) {
    return runtime.store.system.read((db) => signedHeads(db, auditLog(runtime.settings)))
  },
  async run({ db, authority, runtime }, { query: { orgId } }, signed) {
    const chain = requestedChain(authority, orgId)
    const report = await verifyStoredChain(db, auditLog(runtime.settings), chain, signed.get(chain) ?? null)
    const { auditOutbox } = jobTables(db)
    // guard: the-waiting-events-that-verification-counts
    const pending = await db.$count(auditOutbox, eq(auditOutbox.chain, chain))
    if (report.verdict === 'invalid') runtime.metrics?.count('audit_verify_broken_total')
    const { reason, brokenAt, brokenSeq, cannotTell } = report
    return {
      ok: report.ok,
      verdict: report.verdict,
      ...(cannotTell === undefined ? {} : { cannotTell }),
      chain,
      count: report.count,
      firstSeq: report.firstSeq,
      lastSeq: report.lastSeq,
      ...(reason === undefined ? {} : { reason, brokenAt: brokenAt ?? null, brokenSeq: brokenSeq ?? null }),
      erased: report.erased,
      pending,
      coveredThrough: report.coveredThrough,
      head: report.head,
      anchor: report.anchor === null ? null : { throughSeq: report.anchor.throughSeq, hash: report.anchor.hash },
      checkpoint: report.checkpoint,
      doubts: report.doubts.map(({ code, text }) => ({ code, text })),
    }
  },
})
