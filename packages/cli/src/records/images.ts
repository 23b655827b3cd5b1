/** The commands of images in the registry (spec platform 19). */
import type { Columns, Resource } from './resource.js'

const columns: Columns = {
  repository: 'repository',
  tags: 'tags',
  images: 'images',
  bytes: 'bytes',
  updated: 'updatedAt',
}

const repository = {
  syntax: '<repository>',
  description: 'org-<id>/<name> or system/<name>',
  means: 'path',
  sends: 'name',
} as const
const reference = {
  syntax: '<reference>',
  description: 'a tag or a digest',
  means: 'path',
  sends: 'reference',
} as const

export const images: Resource = {
  name: 'images',
  one: 'repository',
  summary: 'list images of the registry; as a system administrator, copy and delete them, and delete unused ones',
  path: '/images',
  listKey: 'repositories',
  key: { argument: repository, example: 'system/tools', fields: ['repository'], separator: ':' },
  columns,
  filters: [
    { flags: '--last <repository>', description: 'only repositories whose name comes after this one' },
    { flags: '--non-empty', description: 'with at least one tag' },
  ],
  isListedOnly: true,
  actions: [
    {
      name: 'tags',
      summary: 'list the tags of a repository',
      method: 'GET',
      path: '/images/{name}/tags',
      arguments: [repository],
      shows: {
        as: 'list',
        key: 'tags',
        columns: { tag: 'tag', digest: 'digest', bytes: 'bytes', since: 'createdAt' },
      },
      examples: [{ command: 'plumbline images tags system/tools', explanation: 'the digest of each' }],
    },
    {
      name: 'inspect',
      summary: 'show a manifest, as the registry has it',
      method: 'GET',
      path: '/images/{name}/manifests/{reference}',
      arguments: [repository, reference],
      shows: { as: 'record' },
      examples: [{ command: 'plumbline images inspect system/tools 1.0.0', explanation: 'its digest, its layers' }],
    },
    {
      name: 'show-blob',
      summary: 'show the configuration of an image, or another small document',
      method: 'GET',
      path: '/images/{name}/blobs/{digest}',
      arguments: [
        repository,
        { syntax: '<digest>', description: 'as `inspect` shows it', means: 'path', sends: 'digest' },
      ],
      shows: { as: 'record' },
      examples: [
        { command: 'plumbline images show-blob system/tools sha256:0190…', explanation: 'JSON of at most 1 MiB' },
      ],
    },
    {
      name: 'copy',
      summary: 'copy an image to another repository; for system administrators',
      method: 'POST',
      path: '/images/copy',
      arguments: [
        {
          syntax: '<source>',
          description: '<repository>:<tag> or <repository>@<digest>',
          means: 'body',
          sends: 'source',
        },
        { syntax: '<target>', description: '<repository>:<tag>', means: 'body', sends: 'target' },
      ],
      body: [
        { flags: '--overwrite', description: 'move a tag that belongs to another image' },
        { flags: '--allow-cross-tenant', description: 'allow a target in the repository of another organization' },
      ],
      shows: { as: 'record' },
      examples: [
        {
          command: 'plumbline images copy org-0190…/tools:1.0.0 system/tools:1.0.0',
          explanation: 'then everybody can pull it',
        },
      ],
    },
    {
      name: 'delete',
      summary: 'delete an image with its tags; for system administrators',
      method: 'DELETE',
      path: '/images/{name}/manifests/{reference}',
      arguments: [repository, reference],
      query: [{ flags: '--force', description: 'delete the image although other tags name it' }],
      asksFirst: true,
      shows: { as: 'record' },
      examples: [
        {
          command: 'plumbline images delete system/tools 0.9.0',
          explanation: 'never an image that a plugin or an index needs',
        },
      ],
    },
    {
      name: 'delete-all',
      summary: 'delete every image of a repository; for system administrators',
      method: 'DELETE',
      path: '/images/{name}',
      arguments: [repository],
      asksFirst: true,
      shows: { as: 'record' },
      examples: [
        { command: 'plumbline images delete-all system/tools', explanation: 'unless an image belongs to a plugin' },
      ],
    },
    {
      name: 'storage',
      summary: 'show how much storage images use',
      method: 'GET',
      path: '/admin/storage/{prefix}',
      arguments: [
        { syntax: '<prefix>', description: 'of repositories: org-<id> or system', means: 'path', sends: 'prefix' },
      ],
      shows: {
        as: 'rows',
        key: 'repositories',
        columns: { repository: 'name', tags: 'tags', images: 'images', bytes: 'bytes' },
      },
      examples: [{ command: 'plumbline images storage org-0190…', explanation: 'each blob once' }],
    },
    {
      name: 'gc',
      summary: 'find images that nothing refers to, and delete them with --delete; for system administrators',
      method: 'POST',
      path: '/admin/gc',
      arguments: [
        { syntax: '<prefix>', description: 'of repositories: org-<id> or system', means: 'body', sends: 'prefix' },
      ],
      body: [
        {
          flags: '--delete',
          description: 'delete them; by default they are only listed',
          sends: 'dryRun',
          value: false,
        },
        {
          flags: '--max-age-days <days>',
          description: 'only images that were first seen at least this many days ago',
          integer: { min: 1, max: 3650 },
        },
      ],
      shows: {
        as: 'rows',
        key: 'images',
        columns: { repository: 'repository', digest: 'digest', bytes: 'bytes' },
      },
      examples: [
        { command: 'plumbline images gc system', explanation: 'what would go' },
        {
          command: 'plumbline images gc system --delete',
          explanation: 'the next collection of the registry frees their storage',
        },
      ],
    },
  ],
  examples: [
    { command: 'plumbline images list', explanation: 'of the organization and of the system' },
    { command: 'plumbline images tags system/tools', explanation: 'the digest of each' },
  ],
}
