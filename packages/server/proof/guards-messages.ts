/** The lines that keep messages to those whom they are for. `find` occurs exactly once in its file. */
import type { Guard } from './guard.js'

const ORACLE = 'src/message/visibility.test.ts'
const FILES = 'src/message/attachment/attachment.test.ts'
/** What a database is made of, written by `npm run schema`. */
const DATABASE = '../migrations/pg/0001-baseline.sql'

export const MESSAGE_GUARDS: readonly Guard[] = [
  {
    name: 'an export has no message to one member',
    file: 'message/registration.ts',
    find: 'isNull(t.threadRecipientUserId), ne(t.orgId, orgId)',
    replace: 'ne(t.orgId, orgId)',
    test: 'src/message/export.test.ts',
  },
  {
    name: 'a message to one member alone',
    file: 'message/visibility.ts',
    find: 'and(eq(to, orgId), or(isNull(toUser), eq(toUser, userId)))',
    replace: 'eq(to, orgId)',
    test: ORACLE,
  },
  {
    name: 'a deleted message',
    file: 'message/visibility.ts',
    find: 'and(concerns(sidesOf(db), viewer), isNull(messageTables(db).messages.deletedAtMs)) as SQL',
    replace: 'concerns(sidesOf(db), viewer)',
    test: ORACLE,
  },
  {
    name: 'a message by id',
    file: 'message/message/find.ts',
    find: '    .where(and(eq(t.id, id), visible(db, viewer)))',
    replace: '    .where(eq(t.id, id))',
    test: ORACLE,
  },
  {
    name: 'the sides of a conversation',
    file: 'message/message/reply.ts',
    find: '  if (orgId !== root.threadRecipientOrgId) {',
    replace: '  if (false) {',
    test: ORACLE,
  },
  {
    name: 'the author of what is deleted',
    file: 'message/message/delete.ts',
    find: '  if (!isAuthor && !authority.isSuperAdmin) throw',
    replace: '  if (false) throw',
    test: ORACLE,
  },
  {
    name: 'the recipients within reach',
    file: 'message/message/send.ts',
    find: '  if (!isLive || !mayReach) {',
    replace: '  if (!isLive) {',
    test: ORACLE,
  },
  {
    name: 'an upload that waits',
    file: 'message/attachment/get.ts',
    find: "if (row.orgId !== viewer.orgId || row.uploadedBy !== viewer.userId) throw notFound('Attachment')",
    replace: '',
    test: FILES,
  },
  {
    name: 'whose upload is linked',
    file: 'message/attachment/link.ts',
    find: '          eq(t.uploadedBy, message.createdBy),\n',
    replace: '',
    test: FILES,
  },
  {
    name: 'what the bytes say',
    file: 'message/attachment/upload.ts',
    find: '  if (!wanted.sniffed.includes(looked.type)) {',
    replace: '  if (false) {',
    test: FILES,
  },
  {
    name: 'the right of whoever listens',
    file: 'message/event/stream.ts',
    find: "    if (!(await stillMay(context, 'messages:read'))) return\n",
    replace: '',
    test: 'src/message/event/stream.test.ts',
  },
  {
    name: 'whose threads a search of the database finds',
    file: DATABASE,
    find: "p_org = current_setting('app.org', true) AND (",
    replace: '(',
    test: 'src/message/search/search.test.ts',
  },
  {
    name: 'what the system organization alone searches',
    file: DATABASE,
    find: "(NOT p_everything OR p_org = '00000000-0000-7000-8000-000000000001')",
    replace: 'true',
    test: 'src/message/search/search.test.ts',
  },
  {
    name: 'whose threads a short search finds',
    file: 'message/message/list.ts',
    find: "asked.scope === 'all' ? visible(db, viewer) : inInbox(db, viewer),",
    replace: '',
    test: 'src/message/search/search.test.ts',
  },
  {
    name: 'whose deleted messages are listed',
    file: 'message/message/deleted.ts',
    find: '        authority.isSuperAdmin ? undefined : eq(t.createdBy, viewer.userId),\n',
    replace: '',
    test: 'src/message/message/message.test.ts',
  },
  {
    name: 'who brings back and purges what is deleted',
    file: 'message/message/delete.ts',
    find: 'if (found === undefined || !(isOwn || authority.isSuperAdmin)) throw',
    replace: 'if (found === undefined) throw',
    test: 'src/message/message/message.test.ts',
  },
  {
    name: 'the time in which what is deleted comes back',
    file: 'message/message/delete.ts',
    find: ', gt(t.purgeAfterMs, nowMs)',
    replace: '',
    test: 'src/message/message/message.test.ts',
  },
]
