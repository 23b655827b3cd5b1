/** What the images of a plugin have to follow, told in the transaction that changes the plugin. */
import type { OutboxMessage } from '../../runtime/operation/context.js'
import type { PluginRow } from '../tables.js'
import { repositoryOf, tagOf } from './staging.js'

export const PUBLIC_COPIES_JOB = 'plugin.public-copies'
export const DROP_IMAGE_JOB = 'plugin.drop-image'

const KEPT_MS = 24 * 3_600_000

export type NamedPlugin = Pick<PluginRow, 'orgId' | 'name'>

/** For a change of who sees a plugin that has an image. */
export const publicCopiesOf = ({ orgId, name }: NamedPlugin): OutboxMessage => ({
  kind: PUBLIC_COPIES_JOB,
  payload: { orgId, name },
  orgId,
  uniqueKey: `${orgId}/${name}`,
})

/** For a plugin that is removed for good: its image goes a day later. Null where it has none. */
export const imageLeft = ({ orgId, name, version, imageDigest }: PluginRow, nowMs: number): OutboxMessage | null =>
  imageDigest === null
    ? null
    : {
        kind: DROP_IMAGE_JOB,
        payload: { repository: repositoryOf({ orgId, name }), tag: tagOf(version), digest: imageDigest },
        orgId,
        runAtMs: nowMs + KEPT_MS,
      }
