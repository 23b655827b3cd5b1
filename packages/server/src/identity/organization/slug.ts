/**
 * Slugs: the short name of an organization in addresses. Unique in the whole server, including deleted organizations.
 */
import { eq, type SQL } from 'drizzle-orm'
import { UUID } from '../../runtime/ids.js'
import { isReservedName } from '../account/reserved-name.js'
import type { identityTables } from '../tables.js'

export const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const SLUG_MAX = 100

/** Names that have another meaning in paths and headers. */
const RESERVED = ['system', 'all', 'new', 'me']

/** `Ärzte & Co.` → `arzte-co`; a name without letters and digits gives `org`. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, SLUG_MAX - 10)
    .replace(/-$/, '')
  return slug.length < 2 ? `org${slug === '' ? '' : `-${slug}`}` : slug
}

// guard: no-slug-has-the-form-of-an-id
export const isReservedSlug = (slug: string): boolean =>
  RESERVED.includes(slug) || isReservedName(slug) || UUID.test(slug)

/**
 * The organization that an id or a slug names. What has the form of an id is one: the slug of one organization could be
 * the id of another.
 */
export const isNamed = ({ id, slug }: ReturnType<typeof identityTables>['organizations'], name: string): SQL =>
  // guard: what-has-the-form-of-an-id-is-no-slug
  UUID.test(name) ? eq(id, name) : eq(slug, name)
