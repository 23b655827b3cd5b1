/** `GET /audit` */
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { either, permission, systemAdmin, withFeature } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { PAGE_FIELDS } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Pagination, strictObject } from '../../runtime/operation/schema.js'
import { effective, filterFields } from './filter.js'
import { type Cursor, type Order, readEvents } from './read-events.js'
import { AuditEventView, eventView } from './view.js'

/** An offset reads the rows that it skips; a cursor reads none. */
const OFFSET_MAX = 10_000

export const listEvents = query({
  name: 'audit.event.list',
  summary: 'List audit events',
  description:
    'Administrators see what was done in and to their own organization. The newest come first unless `sortOrder` is `asc`. Events that wait to be sealed are the newest, with `seq` and `hash` null.',
  http: { method: 'get', path: '/audit' },
  access: withFeature('audit_log', either(permission('audit:read'), systemAdmin())),
  tenant: fromHeader,
  acrossForSystemAdmins: 'they may look at any organization',
  input: {
    query: strictObject({
      ...filterFields,
      limit: PAGE_FIELDS.limit,
      offset: Type.Optional({ ...PAGE_FIELDS.offset, maximum: OFFSET_MAX, default: 0 }),
      sortBy: Type.Optional(Type.Enum(['createdAt'])),
      sortOrder: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'desc' })),
      cursor: Type.Optional(Type.String({ maxLength: 500, description: '`pagination.nextCursor` of the page before' })),
    }),
  },
  output: strictObject({ events: Type.Array(AuditEventView), pagination: Pagination }),
  errors: ['VALIDATION_ERROR'],
  snapshot: true,
  async run(
    context,
    { query: { limit = 10, offset = 0, cursor: text, sortBy: _by, sortOrder: order = 'desc', ...filter } },
  ) {
    const isSystemAdmin = context.authority.isSuperAdmin
    // guard: the-sealed-events-of-an-organization
    const orgId = isSystemAdmin ? null : tenantId(context)
    const cursor = text === undefined ? null : readCursor(text, order)
    const page = await readEvents(context.db, {
      orgId,
      filter: effective(filter, isSystemAdmin),
      order,
      limit,
      offset: cursor === null ? offset : 0,
      cursor,
    })
    return {
      events: page.rows.map((row) => eventView(row, orgId)),
      pagination: {
        total: page.total,
        limit,
        offset,
        hasMore: page.hasMore,
        ...(page.next === null ? {} : { nextCursor: writeCursor(page.next, order) }),
      },
    }
  },
})

const writeCursor = ({ createdAt, chain, seq, total }: Cursor, order: Order): string =>
  Buffer.from(JSON.stringify([order, createdAt, chain, seq, total])).toString('base64url')

/** @throws Refusal 400, also for a cursor of the other order: it would repeat rows. */
function readCursor(text: string, asked: Order): Cursor {
  try {
    const [order, createdAt, chain, seq, total] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    const isCursor =
      order === asked &&
      typeof createdAt === 'string' &&
      typeof chain === 'string' &&
      // A NUL is an error of PostgreSQL.
      !`${createdAt}${chain}`.includes('\0') &&
      Number.isSafeInteger(seq) &&
      Number.isSafeInteger(total)
    if (isCursor) return { createdAt, chain, seq: seq as number, total: total as number }
  } catch {
    // An unreadable cursor is refused below.
  }
  throw invalidField(
    '/query/cursor',
    'is not a cursor of this list: send `pagination.nextCursor` as it came, with the same `sortOrder`',
    'cursor',
  )
}
