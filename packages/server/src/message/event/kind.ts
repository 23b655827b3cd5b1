/** What happened to a message. */

export type EventKind = 'new' | 'edited' | 'deleted' | 'read'
