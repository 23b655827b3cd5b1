/** Filters and actions that several kinds of records have. */
import type { Action, Columns, Flag } from './resource.js'

export const catalogFilters: readonly Flag[] = [
  { flags: '--search <text>', description: 'that contain this text', sends: 'q' },
  { flags: '--keyword <word>', description: 'with this keyword' },
  { flags: '--owner <id>', description: 'of this owner; `me`, or `unowned`', sends: 'ownerId' },
  { flags: '--lifecycle <name>', description: 'in this state' },
  { flags: '--criticality <name>', description: 'with this criticality' },
  { flags: '--label <name=value>', description: 'with this label', sends: 'label', isPairs: true, repeatable: true },
]

export const visibilityFilters: readonly Flag[] = [
  {
    flags: '--access <modifier>',
    description: 'only those of your organization, or shared ones too',
    sends: 'accessModifier',
  },
  {
    flags: '--active <which>',
    description: 'active ones, inactive ones, or all',
    sends: 'isActive',
  },
]

/** The columns of a deleted record. */
const deletedColumns = (columns: Columns): Columns => ({ ...columns, deleted: 'deletedAt', purged: 'purgeAfter' })

export interface Named {
  /** `pipelines`, and `pipeline`. */
  readonly name: string
  readonly one: string
  readonly path: string
  readonly listKey: string
  /** `<pipeline>`, and its description. */
  readonly argument: { readonly syntax: string; readonly description: string }
  readonly example: string
  readonly columns: Columns
  /** Flags of the delete. */
  readonly deletes?: readonly Flag[]
}

/** The actions `delete`, `deleted`, `restore` and `purge`. */
export function removalActions({ name, one, path, listKey, argument, example, columns, deletes }: Named): Action[] {
  const id = {
    syntax: '<id>',
    description: `id of the deleted ${one}, as \`${name} deleted\` shows it`,
    means: 'path',
    sends: 'id',
  } as const
  return [
    {
      name: 'delete',
      summary: `delete a ${one}; it can be restored for a while`,
      method: 'DELETE',
      path: `${path}/{id}`,
      arguments: [{ ...argument, means: 'key', sends: 'id' }],
      ...(deletes === undefined ? {} : { query: deletes }),
      asksFirst: true,
      shows: { as: 'note', text: 'deleted', undo: `plumbline ${name} restore` },
      examples: [
        { command: `plumbline ${name} delete ${example}`, explanation: 'until it is purged it can be restored' },
      ],
    },
    {
      name: 'deleted',
      summary: `list deleted ${name}`,
      method: 'GET',
      path: `${path}/deleted`,
      shows: { as: 'list', key: listKey, columns: deletedColumns(columns) },
      examples: [{ command: `plumbline ${name} deleted`, explanation: 'with the day on which each is purged' }],
    },
    {
      name: 'restore',
      summary: `restore a deleted ${one}; asks for your password`,
      method: 'POST',
      path: `${path}/{id}/restore`,
      arguments: [id],
      shows: { as: 'note', text: 'restored' },
      examples: [{ command: `plumbline ${name} restore 0190…`, explanation: 'compliance and quota are checked again' }],
    },
    {
      name: 'purge',
      summary: `purge a deleted ${one}; asks for your password`,
      method: 'POST',
      path: `${path}/{id}/purge`,
      arguments: [id],
      shows: { as: 'note', text: 'purged' },
      examples: [{ command: `plumbline ${name} purge 0190…`, explanation: 'this cannot be undone' }],
    },
  ]
}
