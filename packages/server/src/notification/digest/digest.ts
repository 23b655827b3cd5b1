/**
 * Digests: pending notifications of an organization are sent as one notification per window. Taking them, the digest
 * and the new window are one transaction under the lock of the preference, so that no notification is in two digests or
 * in none.
 */
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { findOrganization } from '../../identity/index.js'
import { DAY_MS, toIso } from '../../runtime/clock.js'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Announcement } from '../../runtime/records/notification.js'
import type { Settings } from '../../runtime/settings/load.js'
import type { Tx } from '../../runtime/store/db.js'
import { type Handing, handToAll, insertNotification } from '../delivery/notify.js'
import { DIGEST } from '../delivery/text.js'
import { type DigestMode, modeOf } from '../preference/record.js'
import { type NotificationRow, notificationTables, type PreferenceRow } from '../tables.js'

const WINDOW_MS: Readonly<Record<DigestMode, number>> = { immediate: 0, daily: DAY_MS, weekly: 7 * DAY_MS }
/** A window that starts further in the future than this means that the clock was set back. */
const CLOCK_SET_BACK_MS = 3_600_000
export const ITEMS_MAX = 200
const BYTES_MAX = 262_144
/** The rest goes into the next digest. */
const TAKEN_MAX = 5000
const PAGE = 500

type Window = Pick<PreferenceRow, 'digestMode' | 'lastDigestAtMs' | 'modeSinceMs'>

/** When the running window began. */
export const windowStart = ({ lastDigestAtMs, modeSinceMs }: Window): number =>
  Math.max(lastDigestAtMs ?? 0, modeSinceMs)

/** Whether pending notifications are sent now. After a change back to mode `immediate`, they are sent at once. */
export function isDue(preference: Window, nowMs: number): boolean {
  const startMs = windowStart(preference)
  return nowMs - startMs >= WINDOW_MS[modeOf(preference)] || startMs - nowMs > CLOCK_SET_BACK_MS
}

const DIGEST_JOB = 'compliance.digest'
const DIGESTS_JOB = 'compliance.digests'

/** Finds the organizations with pending notifications; each gets its own job. */
export const digestsJob = ({ DIGEST_LOCK_TTL_MS }: Settings) =>
  defineJob({
    kind: DIGESTS_JOB,
    payload: strictObject({}),
    audit: none('it only queues'),
    concurrency: 1,
    leaseMs: DIGEST_LOCK_TTL_MS,
    async run({ signal, read, write }) {
      for (let after: string | null = ''; after !== null && !signal.aborted; ) {
        const behind: string = after
        const page = await read((db) => {
          const { deliveries: t } = notificationTables(db)
          return db
            .selectDistinct({ orgId: t.orgId })
            .from(t)
            .where(and(eq(t.channel, 'digest'), eq(t.state, 'pending'), gt(t.orgId, behind)))
            .orderBy(asc(t.orgId))
            .limit(PAGE)
        })
        await write(async ({ enqueue }) => {
          for (const { orgId } of page) await enqueue({ kind: DIGEST_JOB, orgId, payload: {}, uniqueKey: orgId })
        })
        after = page.length < PAGE ? null : (page.at(-1)?.orgId ?? null)
      }
    },
  })

export const digestsSchedule = ({ DIGEST_SCHEDULER_INTERVAL_MS }: Settings) =>
  defineSchedule({ name: DIGESTS_JOB, kind: DIGESTS_JOB, everyMs: DIGEST_SCHEDULER_INTERVAL_MS, payload: {} })

export const digestJob = defineJob({
  kind: DIGEST_JOB,
  payload: strictObject({}),
  audit: none('the delivery log is the record of what was told'),
  async run(context) {
    const { job, runtime } = context
    const { orgId } = job
    if (orgId === null) return
    await context.finish(async ({ tx, nowMs, enqueue }) => {
      const organization = await findOrganization(tx, orgId)
      if (organization === null || organization.deletedAtMs !== null) return
      const preference = await lockPreference(tx, orgId)
      // guard: a-digest-waits-for-its-window
      if (preference === null || !isDue(preference, nowMs)) return
      await flush({ tx, nowMs, enqueue, runtime }, preference)
    })
  },
})

/** An update instead of a read, so that two digests of one organization wait for each other. */
async function lockPreference(tx: Tx, orgId: string): Promise<PreferenceRow | null> {
  const { preferences: t } = notificationTables(tx)
  const [row] = await tx.update(t).set({ orgId }).where(eq(t.orgId, orgId)).returning()
  return row ?? null
}

async function flush(writing: Handing, preference: PreferenceRow): Promise<void> {
  const { tx, nowMs } = writing
  const { orgId } = preference
  const { preferences: t } = notificationTables(tx)
  const waiting = await takeWaiting(writing, orgId)
  const [first] = waiting
  if (first === undefined) return
  const digest = await insertNotification(writing, orgId, digestOf(preference, waiting, nowMs))
  if (digest === null) throw new Error('what waited is in a digest already')
  await tx.update(t).set({ lastDigestAtMs: nowMs }).where(eq(t.orgId, orgId))
  await handToAll(writing, digest, preference)
}

/** Takes the pending notifications, the oldest first, and marks them as sent. */
async function takeWaiting({ tx, nowMs }: Handing, orgId: string): Promise<readonly NotificationRow[]> {
  const { deliveries, attempts, notifications } = notificationTables(tx)
  const rows = await tx
    .select({ deliveryId: deliveries.id, notification: notifications })
    .from(deliveries)
    .innerJoin(notifications, and(eq(notifications.id, deliveries.notificationId), eq(notifications.orgId, orgId)))
    .where(and(eq(deliveries.orgId, orgId), eq(deliveries.channel, 'digest'), eq(deliveries.state, 'pending')))
    .orderBy(asc(deliveries.id))
    .limit(TAKEN_MAX)
  for (let at = 0; at < rows.length; at += PAGE) {
    const ids = rows.slice(at, at + PAGE).map(({ deliveryId }) => deliveryId)
    // guard: what-is-in-a-digest-waits-for-no-other
    await tx
      .update(deliveries)
      .set({ state: 'sent', updatedAtMs: nowMs })
      .where(and(eq(deliveries.orgId, orgId), inArray(deliveries.id, ids)))
    await tx
      .update(attempts)
      .set({ status: 'sent' })
      .where(and(eq(attempts.orgId, orgId), inArray(attempts.deliveryId, ids)))
  }
  return rows.map(({ notification }) => notification)
}

function digestOf(preference: PreferenceRow, waiting: readonly NotificationRow[], nowMs: number): Announcement {
  const items: NotificationRow['payload'][] = []
  let bytes = 0
  for (const { payload } of waiting.slice(0, ITEMS_MAX)) {
    bytes += Buffer.byteLength(JSON.stringify(payload))
    if (bytes > BYTES_MAX) break
    items.push(payload)
  }
  return {
    event: DIGEST,
    onceKey: `digest:${waiting[0]?.id}`,
    priority: waiting.some(({ priority }) => priority === 'high') ? 'high' : 'normal',
    relatedCheckId: null,
    occurredAtMs: nowMs,
    fields: {
      mode: preference.digestMode,
      from: toIso(windowStart(preference)),
      to: toIso(nowMs),
      count: waiting.length,
      items,
      truncated: items.length < waiting.length,
    },
  }
}
