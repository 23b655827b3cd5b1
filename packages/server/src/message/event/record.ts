/** Stores events for the live stream in the transaction of the change, and wakes the streams after its commit. */
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { type MessageRow, messageTables } from '../tables.js'
import type { Viewer } from '../visibility.js'
import { wakeStreams } from './hub.js'
import type { EventKind } from './kind.js'

export async function recordEvent(
  tx: Tx,
  runtime: Runtime,
  kind: Exclude<EventKind, 'read'>,
  { id, rootId, threadOrgId, threadRecipientOrgId, threadRecipientUserId }: MessageRow,
): Promise<void> {
  await insert(tx, runtime, {
    kind,
    messageId: id,
    rootId,
    orgId: threadOrgId,
    recipientOrgId: threadRecipientOrgId,
    recipientUserId: threadRecipientUserId,
    userId: null,
  })
}

/** Makes the other windows of the reader update their unread count. */
export async function recordRead(tx: Tx, runtime: Runtime, { orgId, userId }: Viewer): Promise<void> {
  const nowhere = { messageId: '', rootId: '', recipientUserId: null }
  await insert(tx, runtime, { ...nowhere, kind: 'read', orgId, recipientOrgId: orgId, userId })
}

interface NewEvent {
  readonly kind: EventKind
  readonly messageId: string
  readonly rootId: string
  readonly orgId: string
  readonly recipientOrgId: string
  readonly recipientUserId: string | null
  readonly userId: string | null
}

async function insert(tx: Tx, runtime: Runtime, event: NewEvent): Promise<void> {
  const { messageEvents: t } = messageTables(tx)
  await tx.insert(t).values({ ...event, createdAtMs: runtime.clock.now() })
  tx.afterCommit(() => wakeStreams(runtime, [event.orgId, event.recipientOrgId]))
}
