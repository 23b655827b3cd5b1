/**
 * Which repositories a caller may see: those of the organization, and those that the system and the parent share.
 * System administrators see all.
 */
import { and, eq, inArray, or, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { notFound, Refusal } from '../runtime/errors.js'
import { either, permission, scope } from '../runtime/operation/access.js'
import { type PrepareContext, tenantKey } from '../runtime/operation/context.js'
import { checkedRepository, type Repository } from './repository.js'

export const READ_IMAGES = either(permission('plugins:read'), scope('plugins:read'))
export const ALL_IMAGES = 'they see the images of every organization'

type Asking = Pick<PrepareContext, 'authority' | 'runtime'>

/** @throws Refusal 503 */
export function requireRegistry({ settings }: Asking['runtime']): void {
  if (settings.REGISTRY_URL !== null) return
  throw new Refusal(
    'REGISTRY_NOT_CONFIGURED',
    'this server has no registry: run `plumbline registry init`, and set REGISTRY_URL and REGISTRY_TOKEN_KEYS',
  )
}

export function isSeen(
  { authority }: Asking,
  table: { readonly orgId: SQLiteColumn; readonly isShared: SQLiteColumn },
): SQL | undefined {
  if (authority.isSuperAdmin) return undefined
  const { orgId, readableOrgIds } = tenantKey({ authority })
  // guard: lists-of-images-are-of-ones-own
  return or(eq(table.orgId, orgId), and(inArray(table.orgId, [...readableOrgIds]), eq(table.isShared, true)))
}

/** @throws Refusal 400 for an invalid name, 404 for a repository that the caller may not see. */
export function seenRepository(context: Asking, name: string): Repository {
  requireRegistry(context.runtime)
  const repository = checkedRepository(name, '/path/name')
  if (context.authority.isSuperAdmin) return repository
  const { orgId, readableOrgIds } = tenantKey(context)
  // guard: an-image-by-its-name-is-ones-own
  if (repository.orgId === orgId || (repository.isShared && readableOrgIds.includes(repository.orgId)))
    return repository
  throw notFound('Repository')
}
