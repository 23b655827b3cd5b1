import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { notificationTables } from '../tables.js'
import { LogEntry, logEntry, selectLog } from './list.js'

export const getNotificationLog = query({
  name: 'notification.notification-log.get',
  summary: 'Show an attempt to notify the organization',
  http: { method: 'get', path: '/compliance/notification-log/:id' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ entry: LogEntry }),
  errors: ['NOT_FOUND'],
  async run({ db, ...context }, { path }) {
    const { attempts: t } = notificationTables(db)
    const [found] = await selectLog(db).where(
      and(
        // guard: a-delivery-of-the-own-organization
        eq(t.orgId, tenantId(context)),
        eq(t.id, path.id),
      ),
    )
    if (found === undefined) throw notFound('Delivery')
    return { entry: logEntry(found) }
  },
})
