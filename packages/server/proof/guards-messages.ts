/** The lines that keep messages to those whom they are for. */
import { cut, drop, type Guard, guard, never, quote, value } from './guard.js'

const ORACLE = 'visibility'
const FILES = 'attachment'
/** What a database is made of. */
const DATABASE = 'migrations/pg/0001-baseline.sql'
const WRITTEN = 'the file is written by `npm run schema`'

export const MESSAGE_GUARDS: readonly Guard[] = [
  guard('an-export-has-no-message-to-one-member', cut(', isNull(t.threadRecipientUserId)'), 'message/export'),
  guard('a-message-to-one-member-alone', cut(', or(isNull(toUser), eq(toUser, userId))'), ORACLE),
  guard('a-deleted-message', value('concerns(sidesOf(db), viewer)'), ORACLE),
  guard('a-message-by-id', cut(', visible(db, viewer)'), ORACLE),
  guard('the-sides-of-a-conversation', never, ORACLE),
  guard('the-author-of-what-is-deleted', never, ORACLE),
  guard('the-author-of-what-is-changed', never, 'message/message'),
  guard('the-recipients-within-reach', cut('|| !mayReach'), ORACLE),
  guard('an-upload-that-waits', drop, FILES),
  guard('whose-upload-is-linked', drop, FILES),
  guard('what-the-bytes-say', never, FILES),
  guard('the-files-of-a-restored-message-take-room-again', drop, FILES),
  guard('whom-a-shared-look-is-for', cut('isFor(row, orgId, userId) && '), 'stream'),
  guard('one-look-for-all-streams-of-an-organization', never, 'event/coalesce'),
  guard('the-right-of-whoever-listens', drop, 'stream'),
  guard(
    'whose-threads-a-search-of-the-database-finds',
    quote(WRITTEN, DATABASE, "p_org = current_setting('app.org', true) AND (", '('),
    'search/search',
  ),
  guard(
    'what-the-system-organization-alone-searches',
    quote(WRITTEN, DATABASE, "(NOT p_everything OR p_org = '00000000-0000-7000-8000-000000000001')", 'true'),
    'search/search',
  ),
  guard('whose-threads-a-short-search-finds', drop, 'search/search'),
  guard('whose-deleted-messages-are-listed', drop, 'message'),
  guard(
    'who-brings-back-and-purges-what-is-deleted',
    cut('|| !(isAuthor(found, viewer) || authority.isSuperAdmin)'),
    'message',
  ),
  guard('the-time-in-which-what-is-deleted-comes-back', cut(', gt(t.purgeAfterMs, nowMs)'), 'message'),
]
