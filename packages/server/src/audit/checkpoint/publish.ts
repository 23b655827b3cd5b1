/** Publishes one signed checkpoint: to the folder of copies and to the witness. It is a job, outside transactions. */
import { formatVerifierKey } from '@plumbline/audit-chain'
import { and, eq, sql } from 'drizzle-orm'
import Type from 'typebox'
import { defineJob, type JobContext } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { auditLog } from '../log.js'
import { auditTables } from '../tables.js'
import { copyCheckpoint } from './copy.js'
import { PUBLISH_JOB } from './sign.js'
import { askWitness } from './witness.js'

export const publishCheckpoint = defineJob({
  kind: PUBLISH_JOB,
  payload: strictObject({ chain: Type.String(), size: Type.Integer({ minimum: 1 }) }),
  audit: none('it copies what is signed evidence already'),
  async run(context, { chain, size }) {
    const row = await context.read(async (db) => {
      const { auditCheckpoints: table } = auditTables(db)
      const [found] = await db
        .select()
        .from(table)
        .where(and(eq(table.chain, chain), eq(table.size, size)))
      return found
    })
    if (row === undefined) return
    const { AUDIT_CHECKPOINT_DIR, AUDIT_WITNESS_URL } = context.runtime.settings
    if (AUDIT_CHECKPOINT_DIR !== null) await copyCheckpoint(AUDIT_CHECKPOINT_DIR, chain, size, row.note)
    if (AUDIT_WITNESS_URL !== null) await cosign(context, AUDIT_WITNESS_URL, chain, size, row.note)
  },
})

async function cosign(
  context: JobContext<never>,
  url: string,
  chain: string,
  size: number,
  note: string,
): Promise<void> {
  const { witnessKey } = auditLog(context.runtime.settings)
  if (witnessKey === null) throw new Error('AUDIT_WITNESS_URL is set and AUDIT_WITNESS_KEY is not')
  const witness = formatVerifierKey(witnessKey)
  const oldSize = await context.read(async (db) => {
    const { auditWitnessed } = auditTables(db)
    const [seen] = await db
      .select()
      .from(auditWitnessed)
      .where(and(eq(auditWitnessed.witness, witness), eq(auditWitnessed.chain, chain)))
    return seen?.size ?? 0
  })
  // The witness has meanwhile cosigned this checkpoint or a later one, which covers it.
  if (oldSize >= size) return
  const read = <T>(run: Parameters<typeof context.read<T>>[0]) => context.read(run)
  const cosigned = await askWitness({ url, key: witnessKey, chain, note, oldSize, read, signal: context.signal })
  await context.finish(async ({ tx }) => {
    const { auditCheckpoints: table, auditWitnessed } = auditTables(tx)
    await tx
      .update(table)
      .set({ note: cosigned })
      .where(and(eq(table.chain, chain), eq(table.size, size)))
    await tx
      .insert(auditWitnessed)
      .values({ witness, chain, size })
      .onConflictDoUpdate({
        target: [auditWitnessed.witness, auditWitnessed.chain],
        set: {
          size: sql`CASE WHEN excluded.size > ${auditWitnessed.size} THEN excluded.size ELSE ${auditWitnessed.size} END`,
        },
      })
  })
}
