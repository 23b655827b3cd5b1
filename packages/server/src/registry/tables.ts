/**
 * The content of the registry at the last reading. Lists, counts and the deletion of unreferenced images use these
 * rows. The registry stays the source of truth; `reading/sync.ts` updates the rows from it.
 */
import { global, tableSet, tenant } from '../runtime/store/table-set.js'

export const registryTables = tableSet(
  'registry',
  (k) => {
    const registryRepositories = k.table(
      'registry_repositories',
      {
        name: k.text('name').primaryKey(),
        orgId: k.text('org_id').notNull(),
        /** Belongs to the system organization, or is shared by a parent with its teams. */
        isShared: k.bool('is_shared').notNull(),
        images: k.count('images').notNull(),
        tags: k.count('tags').notNull(),
        /** The sum of the blobs, each counted once. */
        bytes: k.large('bytes').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
        /** Grows with each reading that starts; a reading is written only if no later one has started. */
        reading: k.large('reading').notNull(),
      },
      (t) => [
        k.index('registry_repositories_org').on(t.orgId, t.name),
        k.index('registry_repositories_newest').on(t.orgId, t.createdAtMs, t.name),
      ],
    )
    const registryImages = k.table(
      'registry_images',
      {
        repository: k.text('repository').notNull(),
        digest: k.text('digest').notNull(),
        orgId: k.text('org_id').notNull(),
        mediaType: k.text('media_type').notNull(),
        /** The bytes that a pull of this image fetches. */
        bytes: k.large('bytes').notNull(),
        /** The digests that an index refers to. */
        children: k.json<readonly string[]>('children').notNull(),
        /** The subject of the token that pushed it; null when no event reported it. */
        pushedBy: k.text('pushed_by'),
        /** When a reading first saw it. */
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.repository, t.digest] }),
        k.index('registry_images_org').on(t.orgId, t.repository),
        k.index('registry_images_digest').on(t.digest),
      ],
    )
    const registryTags = k.table(
      'registry_tags',
      {
        repository: k.text('repository').notNull(),
        tag: k.text('tag').notNull(),
        orgId: k.text('org_id').notNull(),
        /** Copied from the repository. */
        isShared: k.bool('is_shared').notNull(),
        digest: k.text('digest').notNull(),
        bytes: k.large('bytes').notNull(),
        /** When the tag started to refer to this image. */
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.repository, t.tag] }),
        k.index('registry_tags_org').on(t.orgId, t.repository, t.tag),
        k.index('registry_tags_newest').on(t.repository, t.createdAtMs, t.tag),
      ],
    )
    /** The blobs of each image. An organization's usage counts each blob once. */
    const registryBlobs = k.table(
      'registry_blobs',
      {
        repository: k.text('repository').notNull(),
        image: k.text('image').notNull(),
        digest: k.text('digest').notNull(),
        orgId: k.text('org_id').notNull(),
        bytes: k.large('bytes').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.repository, t.image, t.digest] }),
        k.index('registry_blobs_org').on(t.orgId, t.digest, t.bytes),
      ],
    )
    /** The ids of processed events. */
    const registryEvents = k.table(
      'registry_events',
      { id: k.text('id').primaryKey(), seenAtMs: k.epochMs('seen_at_ms').notNull() },
      (t) => [k.index('registry_events_seen').on(t.seenAtMs)],
    )
    /** While such a row is valid, push tokens are withheld. */
    const registryHolds = k.table('registry_holds', {
      id: k.text('id').primaryKey(),
      holder: k.text('holder').notNull(),
      untilMs: k.epochMs('until_ms').notNull(),
    })
    return { registryRepositories, registryImages, registryTags, registryBlobs, registryEvents, registryHolds }
  },
  {
    registryRepositories: tenant('org_id', { sharedWhen: 'is_shared' }),
    registryImages: tenant(),
    registryTags: tenant('org_id', { sharedWhen: 'is_shared' }),
    registryBlobs: tenant(),
    registryHolds: global('the registry is collected as a whole'),
    registryEvents: global("events are the registry's, and are told apart by their ids"),
  },
)
