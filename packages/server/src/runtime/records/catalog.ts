/**
 * Catalog metadata of pipelines, plugins and templates: an owner, a lifecycle, a criticality, labels and links.
 * Source: spec platform 7.
 */

import { recordDefaults } from '@plumbline/engine'
import { and, eq, isNull, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import Type, { type Static } from 'typebox'
import { type FieldIssue, insufficient, invalid, invalidField } from '../errors.js'
import { UUID } from '../ids.js'
import type { PrepareContext, ReadContext } from '../operation/context.js'
import { equals } from '../operation/filters.js'
import { name } from '../operation/name.js'
import { nullable, strictObject, Uuid } from '../operation/schema.js'
import { findPort } from '../port.js'
import type { Kit } from '../store/kit.js'
import { ownerPort } from './owners.js'

export const LIFECYCLES = ['experimental', 'production', 'deprecated'] as const
export const CRITICALITIES = ['low', 'medium', 'high', 'critical'] as const
export type Criticality = (typeof CRITICALITIES)[number]
export const OWNER_TYPES = ['user', 'team'] as const
export type OwnerType = (typeof OWNER_TYPES)[number]

export type Labels = Readonly<Record<string, string | number | boolean>>
export interface Link {
  readonly title: string
  readonly url: string
  readonly icon?: string
}

export interface Catalog {
  /** Null for a record that nobody owns. */
  readonly ownerId: string | null
  readonly ownerType: string | null
  readonly lifecycle: string
  readonly criticality: string | null
  readonly labels: Labels
  readonly links: readonly Link[]
}

const ITEMS_MAX = 50
export const LABEL_KEY = '^[A-Za-z0-9._/-]{1,63}$'

const oneOf = <S extends string>(values: readonly S[], description: string) =>
  Type.Unsafe<S>({ type: 'string', enum: [...values], description })

const LifecycleField = oneOf(LIFECYCLES, '`production` unless said')
const CriticalityField = Type.Unsafe<Criticality | null>({
  anyOf: [{ type: 'string', enum: [...CRITICALITIES] }, { type: 'null' }],
  description: 'Its criticality; null when not set',
})

const LabelsField = Type.Unsafe<Labels>({
  type: 'object',
  patternProperties: {
    [LABEL_KEY]: { anyOf: [{ type: 'string', maxLength: 255 }, { type: 'number' }, { type: 'boolean' }] },
  },
  additionalProperties: false,
  maxProperties: ITEMS_MAX,
  'x-says': 'a label name has 1 to 63 letters, digits, dots, underscores, slashes and hyphens',
  description: 'Texts, numbers and booleans by name',
})

const LinksField = Type.Array(
  strictObject({
    title: name(1, 120),
    url: Type.String({
      maxLength: 2048,
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/]\\S*$',
      'x-says': 'must be an address that begins with http:// or https://',
      description: 'http or https',
    }),
    icon: Type.Optional(Type.String({ maxLength: 40 })),
  }),
  { maxItems: ITEMS_MAX, description: 'Links to documentation' },
)

/** The fields of a body, all optional. `labels` and `links` replace the whole value; null clears `criticality`. */
export const CATALOG_INPUT = {
  ownerId: Type.Optional(Uuid),
  ownerType: Type.Optional(oneOf(OWNER_TYPES, 'Together with `ownerId`')),
  lifecycle: Type.Optional(LifecycleField),
  criticality: Type.Optional(CriticalityField),
  labels: Type.Optional(LabelsField),
  links: Type.Optional(LinksField),
}

/** The same as fields of a form, in which objects and lists are JSON texts. */
export const CATALOG_FORM_INPUT = {
  ...CATALOG_INPUT,
  labels: Type.Optional(Type.Unsafe<Labels>({ ...LabelsField, 'x-json': true })),
  links: Type.Optional(Type.Unsafe<Link[]>({ ...LinksField, 'x-json': true })),
}

/** The fields of an answer. */
export const CATALOG_OUTPUT = {
  ownerId: nullable(Uuid),
  ownerType: Type.Unsafe<string | null>({ anyOf: [{ type: 'string', enum: [...OWNER_TYPES] }, { type: 'null' }] }),
  lifecycle: Type.Unsafe<string>({ type: 'string', enum: [...LIFECYCLES] }),
  criticality: Type.Unsafe<string | null>({ anyOf: [{ type: 'string', enum: [...CRITICALITIES] }, { type: 'null' }] }),
  labels: LabelsField,
  links: LinksField,
}

const CatalogInput = Type.Object(CATALOG_INPUT)
export type CatalogInput = Static<typeof CatalogInput>

/** The columns of a table whose records have catalog metadata. */
export const catalogColumns = (k: Kit) => ({
  ownerId: k.text('owner_id'),
  ownerType: k.text('owner_type'),
  lifecycle: k.text('lifecycle').notNull(),
  criticality: k.text('criticality'),
  labels: k.json<Labels>('labels').notNull(),
  links: k.json<readonly Link[]>('links').notNull(),
})

/** The part of a row that is catalog metadata, as answers and rules see it. */
export const catalogOf = ({ ownerId, ownerType, lifecycle, criticality, labels, links }: Catalog): Catalog => ({
  ownerId,
  ownerType,
  lifecycle,
  criticality,
  labels,
  links,
})

/** Plugins and pipelines have the same. */
const DEFAULTS = recordDefaults.pipeline

type Asking = Pick<PrepareContext, 'principal' | 'authority' | 'runtime'>

/**
 * Returns the metadata of a new record. The person who creates it owns it. A record that a machine creates has no owner
 * until it gets one.
 *
 * @throws Refusal 400 for an owner who cannot be one.
 */
export async function newCatalog(context: Asking, sent: CatalogInput): Promise<Catalog> {
  const { principal } = context
  const owner = (await ownerSent(context, sent)) ?? {
    ownerId: principal.kind === 'user' ? principal.userId : null,
    ownerType: principal.kind === 'user' ? 'user' : null,
  }
  return {
    ...owner,
    lifecycle: sent.lifecycle ?? DEFAULTS.lifecycle,
    criticality: sent.criticality ?? null,
    labels: sent.labels ?? DEFAULTS.labels,
    links: sent.links ?? DEFAULTS.links,
  }
}

/**
 * Returns the metadata after an update.
 *
 * @throws Refusal 400 for an owner who cannot be one; 403 with reason `owner` for a caller who may not transfer it.
 */
export async function changedCatalog(context: Asking, stored: Catalog, sent: CatalogInput): Promise<Catalog> {
  const isSame = sent.ownerId === stored.ownerId && sent.ownerType === stored.ownerType
  const owner = isSame ? undefined : await ownerSent(context, sent)
  // guard: who-gives-a-pipeline-away
  if (owner !== undefined && !(await mayGiveAway(context, stored))) {
    throw insufficient('owner', 'only the owner or an administrator can change the owner of a record')
  }
  return {
    ...catalogOf(stored),
    ...owner,
    ...(sent.lifecycle === undefined ? {} : { lifecycle: sent.lifecycle }),
    ...(sent.criticality === undefined ? {} : { criticality: sent.criticality }),
    ...(sent.labels === undefined ? {} : { labels: sent.labels }),
    ...(sent.links === undefined ? {} : { links: sent.links }),
  }
}

/** The owner that a body names, undefined when it names none. */
async function ownerSent(
  context: Asking,
  { ownerId, ownerType }: CatalogInput,
): Promise<{ ownerId: string; ownerType: OwnerType } | undefined> {
  if (ownerId === undefined && ownerType === undefined) return undefined
  if (ownerId === undefined || ownerType === undefined) {
    const missing = ownerId === undefined ? 'ownerId' : 'ownerType'
    throw invalidField(`/body/${missing}`, 'set `ownerId` and `ownerType` together', 'required')
  }
  const orgId = context.authority.org?.id ?? ''
  const owners = findPort(context.runtime, ownerPort)
  const isPossible =
    ownerType === 'user' ? await owners?.isMember(orgId, ownerId) : await owners?.isTeamOf(orgId, ownerId)
  // guard: an-owner-is-one-of-the-organization
  if (isPossible !== true) {
    const who =
      ownerType === 'user'
        ? 'must be an active member of the organization'
        : 'must be this organization or one of its teams'
    throw invalidField('/body/ownerId', `is not ${who}`, 'owner')
  }
  return { ownerId, ownerType }
}

const isAdministrator = ({ authority: { role, isSuperAdmin } }: Pick<Asking, 'authority'>): boolean =>
  isSuperAdmin || role === 'owner' || role === 'admin'

const mayGiveAway = async (context: Asking, stored: Pick<Catalog, 'ownerId' | 'ownerType'>): Promise<boolean> =>
  isAdministrator(context) || isOwn(context, stored)

/** True when the record belongs to the caller or to a team of theirs. */
export async function isOwn(
  { principal, runtime }: Asking,
  { ownerId, ownerType }: Pick<Catalog, 'ownerId' | 'ownerType'>,
): Promise<boolean> {
  if (principal.kind !== 'user' || ownerId === null) return false
  if (ownerType === 'user') return ownerId === principal.userId
  return (await findPort(runtime, ownerPort)?.isMember(ownerId, principal.userId)) === true
}

/** Whether the organization lets the caller change only what they or their teams own. */
export const changesOnlyOwn = (context: Pick<Asking, 'authority'>): boolean =>
  context.authority.org?.memberWriteScope === 'own' && !isAdministrator(context)

/**
 * Checks the rule that members change only their own records (`memberWriteScope: own`, spec platform 5).
 *
 * @throws Refusal 403 with reason `owner`.
 */
export async function checkWriteScope(context: Asking, stored: Pick<Catalog, 'ownerId' | 'ownerType'>): Promise<void> {
  if (!changesOnlyOwn(context)) return
  if (await isOwn(context, stored)) return
  // guard: whose-pipelines-a-member-changes
  throw insufficient('owner', 'in this organization members can change only what they or their teams own')
}

/** The filters of a list, besides those by label (`LABEL_FILTERS`). */
export const CATALOG_FILTERS = {
  ownerId: Type.Optional(Type.String({ maxLength: 36, description: 'The id of a user or a team, `me` or `unowned`' })),
  lifecycle: Type.Optional(oneOf(LIFECYCLES, 'In this lifecycle stage')),
  criticality: Type.Optional(oneOf(CRITICALITIES, 'Of this criticality')),
}

export interface CatalogQuery {
  readonly ownerId?: string
  readonly lifecycle?: string
  readonly criticality?: string
}

interface CatalogColumns {
  readonly ownerId: SQLiteColumn
  readonly lifecycle: SQLiteColumn
  readonly criticality: SQLiteColumn
}

/**
 * Returns the conditions of `CATALOG_FILTERS`.
 *
 * @throws Refusal 400 for an invalid owner.
 */
export function catalogFilters(
  { principal }: Pick<ReadContext, 'principal'>,
  table: CatalogColumns,
  { ownerId, lifecycle, criticality }: CatalogQuery,
): SQL | undefined {
  return and(
    ownerId === undefined ? undefined : ownerIs(table.ownerId, principal, ownerId),
    equals(table.lifecycle, lifecycle),
    equals(table.criticality, criticality),
  )
}

function ownerIs(column: SQLiteColumn, principal: ReadContext['principal'], wanted: string): SQL {
  if (wanted === 'unowned') return isNull(column)
  if (wanted === 'me') {
    if (principal.kind !== 'user') throw invalidField('/query/ownerId', '`me` is only for people', 'owner')
    return eq(column, principal.userId)
  }
  if (UUID.test(wanted)) return eq(column, wanted)
  const issue: FieldIssue = { path: '/query/ownerId', message: 'is an id, `me` or `unowned`', code: 'owner' }
  throw invalid([issue])
}

/** The header of an answer that shows a deprecated record. Source: spec platform 7. */
export const deprecationOf = ({ lifecycle }: { readonly lifecycle: string }): Readonly<Record<string, string>> =>
  lifecycle === 'deprecated' ? { deprecation: 'true' } : {}
