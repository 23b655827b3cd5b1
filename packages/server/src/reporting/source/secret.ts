/** Secrets of sources: shown once, encrypted in the database. */
import { randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import { perRuntime } from '../../runtime/per-runtime.js'
import { createSecretBox, type SecretBox } from '../../runtime/secret-box.js'
import type { Tx } from '../../runtime/store/db.js'
import { reportingTables, type SourceRow } from '../tables.js'

/** How long the previous secret stays valid after a rotation. */
export const PREVIOUS_MS = 86_400_000

const boxOf = perRuntime(({ settings }) => createSecretBox(settings.SECRET_ENCRYPTION_KEYS ?? []))
const purposeOf = ({ orgId, id }: Pick<SourceRow, 'orgId' | 'id'>): string => `report source ${orgId} ${id}`

/** In the format of Standard Webhooks; GitHub, GitLab and bearer tokens use it as plain text. */
export const newSourceSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

export const sealSecret = (runtime: Runtime, source: Pick<SourceRow, 'orgId' | 'id'>, secret: string) => ({
  sealedSecret: boxOf(runtime).seal(secret, purposeOf(source)),
  hint: secret.slice(-4),
})

/** The currently valid secrets, the newest first. */
export function secretsOf(runtime: Runtime, source: SourceRow, nowMs: number): string[] {
  const open = (sealed: string) => boxOf(runtime).open(sealed, purposeOf(source))
  const { sealedSecret, sealedPrevious, previousUntilMs } = source
  // guard: a-rotated-secret-ends
  const isPreviousGood = sealedPrevious !== null && (previousUntilMs ?? 0) > nowMs
  return isPreviousGood ? [open(sealedSecret), open(sealedPrevious)] : [open(sealedSecret)]
}

export async function resealSources(tx: Tx, box: SecretBox): Promise<number> {
  const { reportSources: t } = reportingTables(tx)
  const rows = await tx.select().from(t)
  for (const row of rows) {
    const again = (sealed: string) => sql`${box.reseal(sealed, purposeOf(row))}`
    await tx
      .update(t)
      .set({
        sealedSecret: again(row.sealedSecret),
        ...(row.sealedPrevious === null ? {} : { sealedPrevious: again(row.sealedPrevious) }),
      })
      .where(and(eq(t.orgId, row.orgId), eq(t.id, row.id)))
  }
  return rows.length
}
