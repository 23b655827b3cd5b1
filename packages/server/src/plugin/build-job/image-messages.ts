/** Messages for the jobs that keep images in line with plugins, queued in the transaction that changes the plugin. */
import type { OutboxMessage } from '../../runtime/operation/context.js'
import type { PluginRow } from '../tables.js'
import { repositoryOf, tagOf } from './staging.js'

export const PUBLIC_COPIES_JOB = 'plugin.public-copies'
export const DROP_IMAGE_JOB = 'plugin.drop-image'

const KEPT_MS = 24 * 3_600_000

export type NamedPlugin = Pick<PluginRow, 'orgId' | 'name'>

/** After a change of who can see a plugin with an image. */
export const publicCopiesOf = ({ orgId, name }: NamedPlugin): OutboxMessage => ({
  kind: PUBLIC_COPIES_JOB,
  payload: { orgId, name },
  orgId,
  uniqueKey: `${orgId}/${name}`,
})

export interface NamedImage {
  readonly repository: string
  readonly tag: string
  readonly digest: string
}

/** The image is deleted a day later, unless a plugin names it then. */
export const dropLater = (image: NamedImage, orgId: string, nowMs: number): OutboxMessage => ({
  kind: DROP_IMAGE_JOB,
  payload: image,
  orgId,
  runAtMs: nowMs + KEPT_MS,
})

/** After a purge or a new upload of a plugin: its image is deleted a day later. Null for a plugin without an image. */
export const imageLeft = ({ orgId, name, version, imageDigest }: PluginRow, nowMs: number): OutboxMessage | null =>
  imageDigest === null
    ? null
    : dropLater({ repository: repositoryOf({ orgId, name }), tag: tagOf(version), digest: imageDigest }, orgId, nowMs)
