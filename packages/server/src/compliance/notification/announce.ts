/** Queues what is to be told in the transaction of what happened; whether, how and to whom is decided by its job. */
import Type from 'typebox'
import type { OutboxMessage } from '../../runtime/operation/context.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import type { CheckRow } from '../tables.js'
import { type Announcement, announcementOfCheck, EVENTS } from './event.js'
import { findPreference } from './preference.js'

export const NOTIFY_JOB = 'compliance.notify'

export const AnnouncementPayload = strictObject({
  event: Type.Enum([...EVENTS]),
  onceKey: Type.String({ minLength: 1 }),
  priority: Type.Enum(['normal', 'high']),
  relatedCheckId: Type.Union([Type.String(), Type.Null()]),
  occurredAtMs: Type.Integer(),
  fields: Type.Record(Type.String(), Type.Unknown()),
})

/** For any domain work that ends in something to tell, such as a scan. */
export const announce = (orgId: string, announcement: Announcement): OutboxMessage => ({
  kind: NOTIFY_JOB,
  orgId,
  payload: announcement,
})

/** The work that a check leaves; null where nobody is to be told. A pass costs nothing, a warning one look at the preference. */
export async function announceCheck(db: Db, row: CheckRow): Promise<OutboxMessage | null> {
  const announcement = announcementOfCheck(row)
  if (announcement === null) return null
  if (announcement.event === 'compliance.warning' && !(await findPreference(db, row.orgId))?.notifyOnWarning)
    return null
  return announce(row.orgId, announcement)
}
