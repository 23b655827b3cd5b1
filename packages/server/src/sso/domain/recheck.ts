/** Checks the record of every domain once a day, and notifies the administrators when one is missing. */
import { and, asc, eq, gt, isNotNull, isNull, lt, or } from 'drizzle-orm'
import Type from 'typebox'
import { mailRecipients } from '../../identity/index.js'
import { DAY_MS, HOUR_MS } from '../../runtime/clock.js'
import { defineJob, defineSchedule, type JobContext } from '../../runtime/jobs/define.js'
import { sendMail } from '../../runtime/mail/send.js'
import { announce } from '../../runtime/records/notification.js'
import { domainLostMail } from '../mail.js'
import { ssoOf } from '../services.js'
import { type DomainRow, ssoTables } from '../tables.js'
import { keepLook } from './keep.js'
import { recordName, recordValue } from './record.js'

const KIND = 'sso.recheck-domains'
const BATCH = 100
/** A name server that does not answer takes seconds, so checks run in parallel. */
const AT_ONCE = 8

export const recheckDomainsJob = defineJob({
  kind: KIND,
  payload: Type.Object({}),
  audit: ['org.idp.domain.fail'],
  concurrency: 1,
  async run(context) {
    // Pages past domains whose name servers do not answer: they stay due, and would otherwise block all others.
    for (let after = ''; ; ) {
      const rows = await dueAfter(context, after)
      for (let at = 0; at < rows.length; at += AT_ONCE) {
        if (context.signal.aborted) return
        await Promise.all(rows.slice(at, at + AT_ONCE).map((row) => recheck(context, row)))
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < BATCH) return
      // guard: the-look-at-domains-goes-past-silence
      after = last.id
    }
  },
})

const dueAfter = ({ read, nowMs }: JobContext<'org.idp.domain.fail'>, after: string): Promise<DomainRow[]> =>
  read((db) => {
    const { idpDomains: t } = ssoTables(db)
    // A clock that was ahead for a while leaves looks from the future.
    // guard: a-look-from-the-future-does-not-count
    const isDue = or(isNull(t.checkedAtMs), lt(t.checkedAtMs, nowMs - DAY_MS), gt(t.checkedAtMs, nowMs))
    return db
      .select()
      .from(t)
      .where(and(isNotNull(t.heldDomain), isDue, gt(t.id, after)))
      .orderBy(asc(t.id))
      .limit(BATCH)
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
    await enqueue(
      announce(row.orgId, {
        event: 'sso.domain-lost',
        onceKey: `domain:${id}:${nowMs}`,
        priority: 'high',
        relatedCheckId: null,
        occurredAtMs: nowMs,
        fields: { domain, record: recordName(domain) },
      }),
    )
    for (const to of await mailRecipients(tx, row.orgId, null)) {
      await sendMail({ runtime: context.runtime, enqueue }, to, domainLostMail, { domain, record: recordName(domain) })
    }
  })
}

export const recheckDomainsSchedule = defineSchedule({ name: KIND, kind: KIND, everyMs: HOUR_MS })
