/** Looks at the record of every domain once a day, and tells the administrators when one is gone. */
import { and, asc, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import Type from 'typebox'
import { mailRecipients } from '../../identity/index.js'
import { DAY_MS, HOUR_MS } from '../../runtime/clock.js'
import { defineJob, defineSchedule, type JobContext } from '../../runtime/jobs/define.js'
import { sendMail } from '../../runtime/mail/send.js'
import { domainLostMail } from '../mail.js'
import { ssoOf } from '../services.js'
import { type DomainRow, ssoTables } from '../tables.js'
import { keepLook } from './keep.js'
import { recordName, recordValue } from './record.js'

const KIND = 'sso.recheck-domains'
const BATCH = 100

export const recheckDomainsJob = defineJob({
  kind: KIND,
  payload: Type.Object({}),
  audit: ['org.idp.domain.fail'],
  concurrency: 1,
  async run(context) {
    const { read, nowMs, signal } = context
    const rows = await read((db) => {
      const { idpDomains: t } = ssoTables(db)
      const isDue = or(isNull(t.checkedAtMs), lt(t.checkedAtMs, nowMs - DAY_MS))
      return db
        .select()
        .from(t)
        .where(and(isNotNull(t.heldDomain), isDue))
        .orderBy(asc(t.checkedAtMs))
        .limit(BATCH)
    })
    for (const row of rows) {
      if (signal.aborted) return
      await recheck(context, row)
    }
  },
})

async function recheck(context: JobContext<'org.idp.domain.fail'>, { id, domain, token }: DomainRow): Promise<void> {
  const answer = await ssoOf(context.runtime).resolveTxt(recordName(domain))
  await context.write(async ({ tx, nowMs, audit, enqueue }) => {
    const { idpDomains: t } = ssoTables(tx)
    const [row] = await tx.select().from(t).where(eq(t.id, id))
    if (row === undefined) return
    const kept = await keepLook(tx, row, { atMs: nowMs, answer, wanted: recordValue(token) })
    if (kept.kind !== 'lost') return
    await audit('org.idp.domain.fail', {
      orgId: row.orgId,
      targetType: 'domain',
      targetId: id,
      outcome: 'failure',
      details: { name: domain },
    })
    for (const to of await mailRecipients(tx, row.orgId, null)) {
      await sendMail({ runtime: context.runtime, enqueue }, to, domainLostMail, { domain, record: recordName(domain) })
    }
  })
}

export const recheckDomainsSchedule = defineSchedule({ name: KIND, kind: KIND, everyMs: HOUR_MS })
