/**
 * The job `compliance.notify`: makes a notification of what was announced and hands it to its channels, or parks it for the
 * digest, in one transaction. The inbox and the mail have queues of their own, so handing over to them is an entry in a
 * queue of the same database: it is done exactly once, with the row of the log. Only the webhook leaves from here by a job.
 */
import { findOrganization, mailRecipients } from '../../identity/index.js'
import { toIso } from '../../runtime/clock.js'
import { defineJob, type JobWrite } from '../../runtime/jobs/define.js'
import { mailLeaves, sendMail } from '../../runtime/mail/send.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { none } from '../../runtime/operation/operation.js'
import { noticeMessage } from '../../runtime/records/notice.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { AnnouncementPayload, NOTIFY_JOB } from './announce.js'
import { beginAttempt, type Channel, openDelivery, type Result } from './attempt.js'
import { type Announcement, isInboxOnly, isWanted } from './event.js'
import { notificationMail } from './mail.js'
import { defaultPreference, findPreference, modeOf } from './preference.js'
import { type DeliveryRow, type NotificationRow, notificationTables, type PreferenceRow } from './tables.js'
import { textOf } from './text.js'
import { webhookMessage } from './webhook.js'

/** A transaction of a job that may queue work. */
export interface Handing extends Pick<JobWrite, 'tx' | 'nowMs' | 'enqueue'> {
  readonly runtime: Runtime
}

export const notifyJob = defineJob({
  kind: NOTIFY_JOB,
  payload: AnnouncementPayload,
  audit: none('the delivery log is the record of what was told'),
  async run(context, announcement) {
    const { job, runtime } = context
    const { orgId } = job
    if (orgId === null) return
    await context.finish(async ({ tx, nowMs, enqueue }) => {
      const organization = await findOrganization(tx, orgId)
      if (organization === null || organization.deletedAtMs !== null) return
      const preference = (await findPreference(tx, orgId)) ?? defaultPreference(orgId, nowMs)
      if (!isWanted(announcement, preference)) return
      const writing = { tx, nowMs, enqueue, runtime }
      const notification = await insertNotification(writing, orgId, announcement)
      if (notification === null) return
      if (isInboxOnly(announcement)) await hand(writing, notification, 'in-app', preference)
      else if (modeOf(preference) === 'immediate') await handToAll(writing, notification, preference)
      else await park(writing, notification)
    })
  },
})

/** @returns null when it was told already. */
export async function insertNotification(
  { tx, runtime, nowMs }: Handing,
  orgId: string,
  { event, onceKey, priority, relatedCheckId, occurredAtMs, fields }: Announcement,
): Promise<NotificationRow | null> {
  const { notifications: t } = notificationTables(tx)
  const id = runtime.ids.next()
  const payload = { id, event, orgId, occurredAt: toIso(occurredAtMs), ...fields }
  const row = { id, orgId, onceKey, event, priority, payload, relatedCheckId, createdAtMs: nowMs }
  return (await insertNew(tx, t, row)) ? row : null
}

/** The inbox always, the others as the preference has it. */
export async function handToAll(
  writing: Handing,
  notification: NotificationRow,
  preference: PreferenceRow,
): Promise<void> {
  await hand(writing, notification, 'in-app', preference)
  if (preference.emailEnabled) await hand(writing, notification, 'email', preference)
  if (preference.webhookUrl === null) return
  await writing.enqueue(webhookMessage(await openDelivery(writing, notification, 'webhook')))
}

async function park(writing: Handing, notification: NotificationRow): Promise<void> {
  const delivery = await openDelivery(writing, notification, 'digest')
  await beginAttempt(writing, delivery, notification.event, { status: 'pending' })
}

type HandedChannel = Exclude<Channel, 'digest' | 'webhook'>

async function hand(
  writing: Handing,
  notification: NotificationRow,
  channel: HandedChannel,
  preference: PreferenceRow,
): Promise<void> {
  const delivery = await openDelivery(writing, notification, channel)
  await handAgain(writing, notification, delivery, preference)
}

/** One attempt by a channel whose queue is in this database. */
export async function handAgain(
  writing: Handing,
  notification: NotificationRow,
  delivery: DeliveryRow,
  preference: PreferenceRow,
): Promise<void> {
  const result =
    delivery.channel === 'email' ? await mail(writing, notification, preference) : await post(writing, notification)
  await beginAttempt(writing, delivery, notification.event, result)
}

async function post({ enqueue }: Handing, notification: NotificationRow): Promise<Result> {
  const { subject, content } = textOf(notification)
  await enqueue(
    noticeMessage({
      recipientOrgId: notification.orgId,
      recipientUserId: null,
      subject,
      content,
      priority: notification.priority === 'high' ? 'high' : 'normal',
      channel: 'compliance',
    }),
  )
  return { status: 'sent' }
}

async function mail(writing: Handing, notification: NotificationRow, preference: PreferenceRow): Promise<Result> {
  const { tx, runtime } = writing
  const { settings } = runtime
  if (!mailLeaves(settings) && settings.NODE_ENV === 'production') {
    return { status: 'failed', error: 'the server has no way to send e-mails: the operator sets EMAIL_PROVIDER' }
  }
  const { orgId } = notification
  const recipients = await mailRecipients(tx, orgId, preference.targetUsers)
  if (recipients.length === 0) {
    return { status: 'failed', error: 'no recipient is an active member with a confirmed address' }
  }
  const organization = await findOrganization(tx, orgId)
  const values = { organization: organization?.name ?? orgId, ...textOf(notification) }
  for (const to of recipients) await sendMail(writing, to, notificationMail, values)
  return { status: 'sent' }
}
