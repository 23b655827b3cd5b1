/**
 * An organization that enforces single sign-on and loses the feature keeps the enforcement for 30 days. Then the server
 * ends it and notifies the administrators.
 */
import { eq, isNotNull } from 'drizzle-orm'
import Type from 'typebox'
import { doorOpenedMail, dropStale, featuresOf, mailRecipients } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { DAY_MS, HOUR_MS } from '../../runtime/clock.js'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { sendMail } from '../../runtime/mail/send.js'

const KIND = 'sso.watch-entitlement'
export const LOST_MS = 30 * DAY_MS

export const watchEntitlementJob = defineJob({
  kind: KIND,
  payload: Type.Object({}),
  audit: ['org.idp.enforce'],
  concurrency: 1,
  async run({ runtime, read, write, signal }) {
    const rows = await read((db) => {
      const { organizations: t } = identityTables(db)
      return db.select().from(t).where(isNotNull(t.ssoEnforcedAtMs))
    })
    for (const { id, name } of rows) {
      if (signal.aborted) return
      await write(async ({ tx, nowMs, audit, enqueue }) => {
        const { organizations: t } = identityTables(tx)
        const [org] = await tx.select().from(t).where(eq(t.id, id))
        if (org === undefined || org.ssoEnforcedAtMs === null) return
        const set = (values: { ssoLostAtMs: number | null; ssoEnforcedAtMs?: null }) =>
          tx.update(t).set(values).where(eq(t.id, id))
        if (featuresOf(org, runtime.settings).has('sso')) {
          if (org.ssoLostAtMs !== null) await set({ ssoLostAtMs: null })
          return
        }
        if (org.ssoLostAtMs === null) return void (await set({ ssoLostAtMs: nowMs }))
        if (nowMs - org.ssoLostAtMs < LOST_MS) return
        await set({ ssoLostAtMs: null, ssoEnforcedAtMs: null })
        dropStale({ tx, runtime }, { orgId: id })
        await audit('org.idp.enforce', {
          orgId: id,
          targetType: 'organization',
          targetId: id,
          details: { enforced: false, reason: 'the account has had no single sign-on for 30 days' },
        })
        const values = {
          organization: name,
          by: 'The server, because the account has had no single sign-on for 30 days,',
        }
        for (const to of await mailRecipients(tx, id, null))
          await sendMail({ runtime, enqueue }, to, doorOpenedMail, values)
      })
    }
  },
})

export const watchEntitlementSchedule = defineSchedule({ name: KIND, kind: KIND, everyMs: HOUR_MS })
