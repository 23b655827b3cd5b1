/**
 * What lies in the registry, as it was read last: lists, counts and the collection of what nobody names are made from these
 * rows. The registry itself stays the truth; `reading/sync.ts` brings the rows up to it.
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
        /** Of the system organization, or what a parent shows its teams. */
        isShared: k.bool('is_shared').notNull(),
        images: k.count('images').notNull(),
        tags: k.count('tags').notNull(),
        /** Each blob once. */
        bytes: k.large('bytes').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
        /** Grows as readings begin: what a reading found counts only where no later one began. */
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
        /** Of all that a pull of this one fetches. */
        bytes: k.large('bytes').notNull(),
        /** What an index names. */
        children: k.json<readonly string[]>('children').notNull(),
        /** Whom the token was for by which it was pushed; null where no event said it. */
        pushedBy: k.text('pushed_by'),
        /** When it was seen first. */
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
        /** As the repository's. */
        isShared: k.bool('is_shared').notNull(),
        digest: k.text('digest').notNull(),
        bytes: k.large('bytes').notNull(),
        /** Since when it names this image. */
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.repository, t.tag] }),
        k.index('registry_tags_org').on(t.orgId, t.repository, t.tag),
        k.index('registry_tags_newest').on(t.repository, t.createdAtMs, t.tag),
      ],
    )
    /** Which blobs an image holds: an organization's bytes are those of each blob once. */
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
    /** The ids of events that were taken. */
    const registryEvents = k.table(
      'registry_events',
      { id: k.text('id').primaryKey(), seenAtMs: k.epochMs('seen_at_ms').notNull() },
      (t) => [k.index('registry_events_seen').on(t.seenAtMs)],
    )
    return { registryRepositories, registryImages, registryTags, registryBlobs, registryEvents }
  },
  {
    registryRepositories: tenant('org_id', { sharedWhen: 'is_shared' }),
    registryImages: tenant(),
    registryTags: tenant('org_id', { sharedWhen: 'is_shared' }),
    registryBlobs: tenant(),
    registryEvents: global("events are the registry's, and are told apart by their ids"),
  },
)
