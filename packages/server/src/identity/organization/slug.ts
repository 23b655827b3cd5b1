/** Slugs: the short name of an organization in addresses. Unique over the whole server, deleted organizations included. */
import { eq, like } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { identityTables } from '../tables.js'

export const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const SLUG_MAX = 100

/** Names that paths and headers give another meaning. */
const RESERVED = ['system', 'all', 'new', 'me']

/** `Ärzte & Co.` → `arzte-co`; a name without letters and digits gives `org`. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, SLUG_MAX - 10)
    .replace(/-$/, '')
  return slug.length < 2 ? `org${slug === '' ? '' : `-${slug}`}` : slug
}

export const isReservedSlug = (slug: string): boolean => RESERVED.includes(slug)

/** The slug of the name, with the next free number when it is taken. */
export async function freeSlug(db: Db, name: string): Promise<string> {
  const { organizations } = identityTables(db)
  const base = slugOf(name)
  const [same] = await db.select({ id: organizations.id }).from(organizations).where(eq(organizations.slug, base))
  if (same === undefined && !isReservedSlug(base)) return base
  const rows = await db
    .select({ slug: organizations.slug })
    .from(organizations)
    .where(like(organizations.slug, `${base}-%`))
  const taken = rows.map(({ slug }) => Number(slug.slice(base.length + 1))).filter(Number.isSafeInteger)
  return `${base}-${Math.max(1, ...taken) + 1}`
}
