/** Queues the notification of a check in the transaction of the check. */
import type { OutboxMessage, Runtime } from '../../runtime/operation/context.js'
import { findPort } from '../../runtime/port.js'
import { announce, notificationPort } from '../../runtime/records/notification.js'
import type { Db } from '../../runtime/store/db.js'
import type { CheckRow } from '../tables.js'
import { announcementOfCheck } from './event.js'

/** Null where nobody is notified. A passed check costs no query, a warning one query of the preference. */
export async function announceCheck(
  db: Db,
  runtime: Pick<Runtime, 'ports'>,
  row: CheckRow,
): Promise<OutboxMessage | null> {
  const announcement = announcementOfCheck(row)
  if (announcement === null) return null
  if (announcement.event === 'compliance.warning') {
    const isWanted = await findPort(runtime, notificationPort)?.wantsWarnings(db, row.orgId)
    if (isWanted === false) return null
  }
  return announce(row.orgId, announcement)
}
