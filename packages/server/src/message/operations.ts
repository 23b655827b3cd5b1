/** Every operation of messages. */
import type { Operation } from '../runtime/operation/operation.js'
import type { Settings } from '../runtime/settings/load.js'
import { getAttachment } from './attachment/get.js'
import { listAttachments } from './attachment/list.js'
import { uploadAttachment } from './attachment/upload.js'
import { streamMessages } from './event/stream.js'
import { deleteMessage, purgeMessage, restoreMessage } from './message/delete.js'
import { listDeletedMessages } from './message/deleted.js'
import { editMessage } from './message/edit.js'
import { getMessage, getThread } from './message/get.js'
import { listAnnouncements, listConversations, listMessages } from './message/list.js'
import { replyToMessage } from './message/reply.js'
import { sendMessage } from './message/send.js'
import { markAllRead, markRead, markThreadRead } from './read/mark.js'
import { unreadCount } from './read/unread.js'

/** The size of an upload is a setting, and is checked while the file comes in. */
export const messageOperations = (settings: Pick<Settings, 'MESSAGE_ATTACHMENT_MAX_MB'>): readonly Operation[] => [
  listMessages,
  listConversations,
  listAnnouncements,
  listDeletedMessages,
  unreadCount,
  getMessage,
  getThread,
  sendMessage,
  replyToMessage,
  editMessage,
  deleteMessage,
  restoreMessage,
  purgeMessage,
  markRead,
  markThreadRead,
  markAllRead,
  uploadAttachment(settings),
  getAttachment,
  listAttachments,
  streamMessages,
]
