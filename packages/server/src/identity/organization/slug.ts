/**
 * Slugs: the short name of an organization in addresses. Unique in the whole server, including deleted organizations.
 */
import { isReservedName } from '../account/reserved-name.js'

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

export const isReservedSlug = (slug: string): boolean => RESERVED.includes(slug) || isReservedName(slug)
