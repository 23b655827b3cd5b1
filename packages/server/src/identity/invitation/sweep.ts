/** Marks expired invitations, in batches. Readers do not depend on it: they compute the expiry themselves. */
import { and, eq, inArray, lte } from 'drizzle-orm'
import { HOUR_MS } from '../../runtime/clock.js'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { identityTables } from '../tables.js'

const ROWS_A_BATCH = 500

export const sweepInvitations = defineJob({
  kind: 'invitation.expire',
  payload: strictObject({}),
  audit: none('time expires an invitation, nobody does'),
  concurrency: 1,
  async run({ write, nowMs, signal }) {
    for (let marked = ROWS_A_BATCH; marked === ROWS_A_BATCH && !signal.aborted; ) {
      marked = await write(async ({ tx }) => {
        const { invitations } = identityTables(tx)
        const due = tx
          .select({ id: invitations.id })
          .from(invitations)
          .where(and(eq(invitations.status, 'pending'), lte(invitations.expiresAtMs, nowMs)))
          .limit(ROWS_A_BATCH)
        const rows = await tx
          .update(invitations)
          .set({ status: 'expired', liveKey: null })
          .where(
            and(inArray(invitations.id, due), eq(invitations.status, 'pending'), lte(invitations.expiresAtMs, nowMs)),
          )
          .returning({ id: invitations.id })
        return rows.length
      })
    }
  },
})

export const invitationSchedule = defineSchedule({
  name: 'identity.expire-invitations',
  kind: 'invitation.expire',
  everyMs: HOUR_MS,
})
