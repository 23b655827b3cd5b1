/** The references that keep an image: tags, indexes, plugins. */
import { and, eq } from 'drizzle-orm'
import type { PrepareContext } from '../../runtime/operation/context.js'
import type { PluginOfImage } from '../../runtime/records/plugin-names.js'
import type { Db } from '../../runtime/store/db.js'
import type { RegistryClient } from '../client.js'
import { pluginsIn, requirePluginNames } from '../plugin-images.js'
import { type Reading, readRepository } from '../reading/read.js'
import type { Repository } from '../repository.js'
import { registryTables } from '../tables.js'
import { attestationTag } from './attestations.js'

export interface Naming {
  readonly tags: readonly string[]
  /** Digests of the indexes that contain the image. */
  readonly indexes: readonly string[]
  readonly plugins: readonly PluginOfImage[]
}

/** With the images that an earlier reading stored. */
export type ReadingNow = Reading & { readonly known: ReadonlySet<string> }

/** Reads the current state of the repository, including known manifests without a tag. @throws RegistryFault */
export async function readNow(
  { read, runtime }: Pick<PrepareContext, 'read' | 'runtime'>,
  registry: RegistryClient,
  repository: Repository,
): Promise<ReadingNow> {
  const names = requirePluginNames(runtime)
  const [known, owners] = await read(async (db) => [
    await knownDigests(db, repository.name),
    await pluginsIn(names, db, repository),
  ])
  const hints = [...known, ...owners.map(({ digest }) => digest)]
  const reading = await readRepository(registry, repository.name, new Map(), hints)
  return { ...reading, known: new Set(known) }
}

async function knownDigests(db: Db, name: string): Promise<string[]> {
  const { registryImages: t } = registryTables(db)
  const rows = await db
    .select({ digest: t.digest })
    .from(t)
    .where(and(eq(t.repository, name)))
  return rows.map(({ digest }) => digest)
}

export async function namingOf(
  { runtime, read }: Pick<PrepareContext, 'runtime' | 'read'>,
  repository: Repository,
  { tags, manifests }: Reading,
  digest: string,
): Promise<Naming> {
  const names = requirePluginNames(runtime)
  const owners = await read((db) => pluginsIn(names, db, repository))
  const own = [...tags].flatMap(([tag, named]) => (named === digest ? [tag] : [])).sort()
  return {
    tags: own,
    indexes: [...manifests.values()].flatMap((parts) => (parts.children.includes(digest) ? [parts.digest] : [])),
    // guard: the-attestations-of-a-plugin-belong-to-it
    plugins: owners.filter((owner) => owner.digest === digest || own.includes(attestationTag(owner.digest))),
  }
}

/** What frees an image that plugins need. */
export const howFreed = ({ publicName }: Repository): string =>
  publicName === null ? 'delete and purge the plugin' : 'make the plugin private, or delete it'

export const shownPlugins = (plugins: readonly PluginOfImage[]) =>
  plugins.slice(0, 20).map(({ pluginId, name, version }) => ({ pluginId, name, version }))
