/** `GET /audit/proof`: prove that an event is in the log, or that the log only grew. */
import { consistencyRanges, formatTlogProof, inclusionRanges, parseCheckpoint } from '@plumbline/audit-chain'
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { invalidField, notFound, Refusal } from '../../runtime/errors.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { auditTables } from '../tables.js'
import { prove } from './proofs.js'
import { checkpointOf } from './read-anchor.js'
import { ACROSS, chainAccess, orgIdField, requestedChain } from './requested-chain.js'

const hashes = Type.Array(Type.String(), { description: 'Hexadecimal, in the order of RFC 9162' })
const size = Type.Integer({ minimum: 1 })

export const proveChain = query({
  name: 'audit.chain.prove',
  summary: 'Prove that an event is in the log, or that the log only grew',
  description:
    '`seq` asks for an inclusion proof of one event, `from` for a consistency proof from a checkpoint of that size. Both lead to the newest checkpoint, or to the newest one of at most `to`.',
  http: { method: 'get', path: '/audit/proof' },
  access: chainAccess,
  tenant: fromHeader,
  acrossForSystemAdmins: ACROSS,
  input: {
    query: strictObject({
      orgId: orgIdField,
      seq: Type.Optional(size),
      from: Type.Optional(Type.Integer({ minimum: 0 })),
      to: Type.Optional(size),
    }),
  },
  output: Type.Union([
    strictObject({
      kind: Type.Literal('inclusion'),
      seq: size,
      eventHash: Type.String(),
      size,
      root: Type.String(),
      hashes,
      checkpoint: Type.String({ description: 'The signed note' }),
      tlogProof: Type.String({ description: 'The same as one file (C2SP tlog-proof)' }),
    }),
    strictObject({
      kind: Type.Literal('consistency'),
      from: Type.Integer({ minimum: 0 }),
      size,
      root: Type.String(),
      hashes,
      checkpoint: Type.String({ description: 'The signed note' }),
    }),
  ]),
  errors: ['NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR', 'MISSING_REQUIRED_FIELD'],
  snapshot: true,
  async run({ db, authority }, { query: { orgId, seq, from, to } }) {
    const chain = requestedChain(authority, orgId)
    if ((seq === undefined) === (from === undefined)) {
      throw invalidField('/query', 'send either `seq` or `from`', 'one_of')
    }
    const newest = await checkpointOf(db, chain, to)
    const checkpoint = newest === null ? null : parseCheckpoint(newest.note)
    if (newest === null || checkpoint === null) throw notFound('Checkpoint')
    const { size, root } = checkpoint
    const common = { size, root, checkpoint: newest.note }
    const read = <T>(run: (of: typeof db) => Promise<T>) => run(db)
    if (from !== undefined) {
      if (from > size) throw beyond('from', size)
      const found = await prove(read, chain, consistencyRanges(from, size))
      if (found === null) throw pruned()
      return { kind: 'consistency' as const, from, hashes: found, ...common }
    }
    const wanted = seq as number
    if (wanted > size) throw beyond('seq', size)
    const { auditEvents: t } = auditTables(db)
    const [event] = await db
      .select({ hash: t.hash })
      .from(t)
      .where(and(eq(t.chain, chain), eq(t.seq, wanted)))
    const found = event === undefined ? null : await prove(read, chain, inclusionRanges(wanted - 1, size))
    if (event === undefined || found === null) throw pruned()
    const tlogProof = formatTlogProof({ index: wanted - 1, path: found, checkpoint: newest.note })
    return { kind: 'inclusion' as const, seq: wanted, eventHash: event.hash, hashes: found, tlogProof, ...common }
  },
})

const beyond = (field: string, size: number) =>
  invalidField(`/query/${field}`, `the checkpoint covers events 1 to ${size}: ask again after the next one`, 'beyond')

const pruned = () =>
  new Refusal(
    'CONFLICT',
    'retention pruned events that the proof needs: use an export from before, or ask about newer events',
  )
