/** What this domain declares about messages: permissions, settings, rate limits. */
import { adminsAndMembers, declare } from '../runtime/declare.js'
import { given } from '../runtime/setting/setting.js'
import { list, matching, whole } from '../runtime/setting/types.js'

export const messageDeclarations = declare({
  name: 'message',
  sections: { message: 'Messages' },
  permissions: {
    'messages:read': adminsAndMembers('read messages'),
    'messages:write': adminsAndMembers('send, answer and delete messages'),
  },
  settings: {
    MESSAGE_SEND_RATE_MAX: given('limits', whole(0), 60, 'Messages and answers of an organization in 60 s; 0 is off'),
    MESSAGE_ATTACHMENT_RATE_MAX: given(
      'limits',
      whole(0),
      30,
      'Files that an organization uploads for messages in 60 s; 0 is off',
    ),
    SUPPORT_ALIASES: given(
      'message',
      list(matching(/^[a-z0-9_-]{1,50}$/, 'lower-case letters, digits, `-` and `_`')),
      ['system', 'support', 'help'],
      'Names under which messages reach the system organization; the first one is shown to people',
    ),
    MESSAGE_ATTACHMENT_MAX_MB: given('message', whole(1, 1024), 10, 'Largest attachment, in MiB'),
    MESSAGE_THUMBNAIL_MAX_DIM: given('message', whole(16, 2048), 320, 'Longest side of a thumbnail, in pixels'),
  },
  buckets: {
    'message-send': { per: 'org', max: 'MESSAGE_SEND_RATE_MAX', windowMs: 60_000 },
    'message-attachment': { per: 'org', max: 'MESSAGE_ATTACHMENT_RATE_MAX', windowMs: 60_000 },
  },
})
