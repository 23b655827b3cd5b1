/** Every operation of messages. */
import type { Operation } from '../runtime/operation/operation.js'
import type { Settings } from '../runtime/settings/load.js'
import { listAnnouncements } from './announcement/list.js'
import { getAttachment } from './attachment/get.js'
import { listAttachments } from './attachment/list.js'
import { uploadAttachment } from './attachment/upload.js'
import { listConversations } from './conversation/list.js'
import { streamMessages } from './event/stream.js'
import { listInbox } from './inbox/list.js'
import { readInbox } from './inbox/read.js'
import { deleteMessage } from './message/delete.js'
import { editMessage } from './message/edit.js'
import { getMessage } from './message/get.js'
import { listDeletedMessages } from './message/list-deleted.js'
import { purgeMessage } from './message/purge.js'
import { readMessage } from './message/read.js'
import { replyMessage } from './message/reply.js'
import { restoreMessage } from './message/restore.js'
import { sendMessage } from './message/send.js'
import { getThread } from './thread/get.js'
import { readThread } from './thread/read.js'
import { countUnread } from './unread/count.js'

/** The size limit of an upload is a setting, which is checked during the upload. */
export const messageOperations = (settings: Pick<Settings, 'MESSAGE_ATTACHMENT_MAX_MB'>): readonly Operation[] => [
  listInbox,
  listConversations,
  listAnnouncements,
  listDeletedMessages,
  countUnread,
  getMessage,
  getThread,
  sendMessage,
  replyMessage,
  editMessage,
  deleteMessage,
  restoreMessage,
  purgeMessage,
  readMessage,
  readThread,
  readInbox,
  uploadAttachment(settings),
  getAttachment,
  listAttachments,
  streamMessages,
]
