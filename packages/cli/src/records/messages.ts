/** The commands of messages (spec platform 13). */
import type { Action, Columns, Resource } from './resource.js'

const columns: Columns = {
  subject: 'subject',
  from: 'senderOrgName',
  by: 'senderName',
  type: 'messageType',
  priority: 'priority',
  read: 'isRead',
  replies: 'replyCount',
  activity: 'lastReplyAt',
  id: 'id',
}

const message = { syntax: '<message>', description: 'id of the message', means: 'path', sends: 'id' } as const
const content = { flags: '--content <text>', description: 'the text; or from --file' }
const attachments = {
  flags: '--attach <id>',
  description: 'with this file, as `messages attach` shows it',
  sends: 'attachmentIds',
  repeatable: true,
} as const
const bodyFile = { description: 'the fields from a file, such as `content: |`', isRequired: false }

const actions: readonly Action[] = [
  {
    name: 'get',
    summary: 'show a message with its thread',
    method: 'GET',
    path: '/messages/{id}/thread',
    arguments: [message],
    shows: { as: 'record' },
    examples: [{ command: 'plumbline messages get 0190…', explanation: 'the root, then the replies' }],
  },
  {
    name: 'send',
    summary: 'write to an organization, or to one person of it',
    method: 'POST',
    path: '/messages',
    body: [
      { flags: '--to <organization>', description: 'id, `support`, or * for an announcement', sends: 'recipientOrgId' },
      { flags: '--user <id>', description: 'to this person only', sends: 'recipientUserId' },
      { flags: '--subject <text>', description: 'the subject' },
      content,
      { flags: '--priority <name>', description: 'how urgent' },
      { flags: '--channel <name>', description: 'a category, to filter by' },
      attachments,
    ],
    bodyFile,
    shows: { as: 'record', key: 'message' },
    examples: [
      {
        command: 'plumbline messages send --to support --subject "Quota" --content "Please raise it."',
        explanation: 'to the people who run the platform',
      },
    ],
  },
  {
    name: 'reply',
    summary: 'answer a message',
    method: 'POST',
    path: '/messages/{id}/reply',
    arguments: [message],
    body: [content, attachments],
    bodyFile,
    shows: { as: 'record', key: 'message' },
    examples: [{ command: 'plumbline messages reply 0190… --content "Done."', explanation: 'to the root of a thread' }],
  },
  {
    name: 'edit',
    summary: 'change the text of your message, within a day',
    method: 'PATCH',
    path: '/messages/{id}',
    arguments: [message],
    body: [content],
    bodyFile,
    shows: { as: 'record', key: 'message' },
    examples: [
      {
        command: 'plumbline messages edit 0190… --content "Done, and checked."',
        explanation: 'it is marked as edited',
      },
    ],
  },
  {
    name: 'read',
    summary: 'mark a message and its thread as read',
    method: 'PUT',
    path: '/messages/{id}/thread/read',
    arguments: [message],
    shows: { as: 'note', text: 'marked as read' },
    examples: [{ command: 'plumbline messages read 0190…', explanation: 'for you only; for others it stays unread' }],
  },
  {
    name: 'read-all',
    summary: 'mark every message as read',
    method: 'PUT',
    path: '/messages/read-all',
    shows: { as: 'note', text: 'marked as read' },
    examples: [{ command: 'plumbline messages read-all', explanation: 'for you only; for others they stay unread' }],
  },
  {
    name: 'unread',
    summary: 'count the threads that you have not read',
    method: 'GET',
    path: '/messages/unread/count',
    shows: { as: 'record' },
    examples: [{ command: 'plumbline messages unread --format json', explanation: 'for a prompt or a status bar' }],
  },
  {
    name: 'delete',
    summary: 'delete your message; deleting a root deletes its thread',
    method: 'DELETE',
    path: '/messages/{id}',
    arguments: [message],
    shows: { as: 'note', text: 'deleted', undo: 'plumbline messages restore' },
    examples: [{ command: 'plumbline messages delete 0190…', explanation: 'it can be restored for a while' }],
  },
  {
    name: 'restore',
    summary: 'restore a deleted message; asks for your password',
    method: 'POST',
    path: '/messages/{id}/restore',
    arguments: [message],
    shows: { as: 'note', text: 'restored' },
    examples: [{ command: 'plumbline messages restore 0190…', explanation: 'with the replies that went with it' }],
  },
  {
    name: 'deleted',
    summary: 'list your deleted messages',
    method: 'GET',
    path: '/messages/deleted',
    shows: {
      as: 'list',
      key: 'messages',
      columns: { subject: 'subject', type: 'messageType', deleted: 'deletedAt', purged: 'purgeAfter', id: 'id' },
    },
    examples: [{ command: 'plumbline messages deleted', explanation: 'with the day on which each is purged' }],
  },
  {
    name: 'purge',
    summary: 'purge a deleted message; asks for your password',
    method: 'POST',
    path: '/messages/{id}/purge',
    arguments: [message],
    shows: { as: 'note', text: 'purged' },
    examples: [{ command: 'plumbline messages purge 0190…', explanation: 'a root with its whole thread' }],
  },
  {
    name: 'attachments',
    summary: 'list the attachments of a message',
    method: 'GET',
    path: '/messages/{id}/attachments',
    arguments: [message],
    shows: {
      as: 'rows',
      key: 'attachments',
      columns: { name: 'filename', type: 'contentType', bytes: 'sizeBytes', id: 'id' },
    },
    examples: [{ command: 'plumbline messages attachments 0190…', explanation: '`download` saves one' }],
  },
]

export const messages: Resource = {
  name: 'messages',
  one: 'message',
  summary: 'read and write messages between organizations',
  path: '/messages',
  key: { argument: message, example: '0190…', fields: ['id'], separator: '/' },
  columns,
  filters: [
    {
      flags: '--type <name>',
      description: 'of this type',
      sends: 'messageType',
    },
    { flags: '--priority <name>', description: 'of this priority' },
    { flags: '--channel <name>', description: 'in this channel' },
    { flags: '--read <which>', description: 'read ones, or unread ones', sends: 'isRead' },
    { flags: '--search <text>', description: 'that contain this text' },
    { flags: '--to-me', description: 'only to you', sends: 'recipientUserId', value: 'me' },
  ],
  actions,
  examples: [
    { command: 'plumbline messages list --read false', explanation: 'what you have not read' },
    { command: 'plumbline messages get 0190…', explanation: 'a thread' },
  ],
}
