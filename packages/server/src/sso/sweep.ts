/** Removes abandoned sign-ins, and expired ids of logout tokens. */
import { inArray, lt } from 'drizzle-orm'
import Type from 'typebox'
import { HOUR_MS } from '../runtime/clock.js'
import { defineJob, defineSchedule } from '../runtime/jobs/define.js'
import { none } from '../runtime/operation/operation.js'
import { ssoTables } from './tables.js'

const KIND = 'sso.sweep'
const BATCH = 500

export const sweepSignInsJob = defineJob({
  kind: KIND,
  payload: Type.Object({}),
  audit: none('what is removed had ended by itself'),
  concurrency: 1,
  async run({ write, nowMs, signal }) {
    for (let gone = BATCH; gone >= BATCH && !signal.aborted; ) {
      gone = await write(async ({ tx }) => {
        const { authFlows, authGrants, socialFlows, logoutTokens } = ssoTables(tx)
        const flows = tx
          .select({ k: authFlows.stateHash })
          .from(authFlows)
          .where(lt(authFlows.expiresAtMs, nowMs))
          .limit(BATCH)
        const grants = tx
          .select({ k: authGrants.tokenHash })
          .from(authGrants)
          .where(lt(authGrants.expiresAtMs, nowMs))
          .limit(BATCH)
        const marks = tx
          .select({ k: logoutTokens.key })
          .from(logoutTokens)
          .where(lt(logoutTokens.expiresAtMs, nowMs))
          .limit(BATCH)
        const social = tx
          .select({ k: socialFlows.stateHash })
          .from(socialFlows)
          .where(lt(socialFlows.expiresAtMs, nowMs))
          .limit(BATCH)
        const counts = [
          (await tx.delete(authFlows).where(inArray(authFlows.stateHash, flows)).returning({ k: authFlows.stateHash }))
            .length,
          (await tx.delete(authGrants).where(inArray(authGrants.tokenHash, grants)).returning({ k: authGrants.kind }))
            .length,
          (
            await tx
              .delete(socialFlows)
              .where(inArray(socialFlows.stateHash, social))
              .returning({ k: socialFlows.stateHash })
          ).length,
          (await tx.delete(logoutTokens).where(inArray(logoutTokens.key, marks)).returning({ k: logoutTokens.key }))
            .length,
        ]
        return Math.max(...counts)
      })
    }
  },
})

export const sweepSignInsSchedule = defineSchedule({ name: KIND, kind: KIND, everyMs: HOUR_MS })
