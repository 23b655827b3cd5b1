/** `GET /messages/conversations`: the conversations of the inbox. */
import { halfOfInbox } from '../inbox/list.js'

export const listConversations = halfOfInbox({ name: 'message.conversation.list', type: 'conversation' })
