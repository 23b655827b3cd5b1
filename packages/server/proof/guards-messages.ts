/** The lines that keep messages to those whom they are for. `find` occurs exactly once in its file. */
import type { Guard } from './guards.js'

const ORACLE = 'src/message/visibility.test.ts'
const FILES = 'src/message/attachment/attachment.test.ts'

export const MESSAGE_GUARDS: readonly Guard[] = [
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
]
