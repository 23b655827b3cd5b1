/** `GET /messages/announcements`: the announcements of the inbox. */
import { halfOfInbox } from '../inbox/list.js'

export const listAnnouncements = halfOfInbox({ name: 'message.announcement.list', type: 'announcement' })
