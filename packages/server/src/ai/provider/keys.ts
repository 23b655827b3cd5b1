/**
 * Chooses the key of a generation: the request's, else the organization's (a team's, else its root's), else the
 * server's. The server never falls back to another key: a rejected key ends the generation.
 */
import { and, eq, inArray } from 'drizzle-orm'
import type { SecretBox } from '../../runtime/secret-box.js'
import type { Settings } from '../../runtime/settings/load.js'
import type { Db } from '../../runtime/store/db.js'
import { aiTables } from '../tables.js'
import type { ProviderId } from './providers.js'

export type KeySource = 'request' | 'org' | 'server' | 'none'

export interface Key {
  readonly source: KeySource
  readonly text: string
}

export const keyPurpose = (orgId: string, provider: string): string => `ai-key\n${orgId}\n${provider}`

/** The key of the server; null if it has none. A self-hosted model may need none. */
export function serverKey(settings: Settings, provider: ProviderId): string | null {
  switch (provider) {
    case 'anthropic':
      return settings.ANTHROPIC_API_KEY
    case 'openai':
      return settings.OPENAI_API_KEY
    case 'google':
      return settings.GOOGLE_GENERATIVE_AI_API_KEY
    case 'xai':
      return settings.XAI_API_KEY
    case 'amazon-bedrock': {
      const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = settings
      return id === null || secret === null ? null : [id, secret, ...(token === null ? [] : [token])].join(':')
    }
    case 'openai-compatible':
      return settings.AI_COMPAT_BASE_URL === null ? null : (settings.AI_COMPAT_API_KEY ?? '')
    case 'fake':
      return settings.AI_PROVIDER === 'fake' ? '' : null
  }
}

interface Tenant {
  readonly orgId: string
  readonly rootOrgId: string
}

/** The providers for which the organization, or its root, has a key. */
export async function orgKeyProviders(db: Db, { orgId, rootOrgId }: Tenant): Promise<ReadonlySet<string>> {
  const { aiKeys: t } = aiTables(db)
  const rows = await db
    .select({ provider: t.provider })
    .from(t)
    .where(inArray(t.orgId, [orgId, rootOrgId]))
  return new Set(rows.map(({ provider }) => provider))
}

/** The key that the organization's generations use with this provider. */
export async function keyFor(
  db: Db,
  { settings, box }: { readonly settings: Settings; readonly box: () => SecretBox },
  { orgId, rootOrgId }: Tenant,
  provider: ProviderId,
): Promise<Key> {
  const { aiKeys: t } = aiTables(db)
  // guard: a-key-is-of-the-organization-or-its-root
  const rows = await db
    .select()
    .from(t)
    .where(and(inArray(t.orgId, [orgId, rootOrgId]), eq(t.provider, provider)))
  // guard: the-key-of-the-organization-comes-first
  const nearest = rows.find((row) => row.orgId === orgId) ?? rows[0]
  if (nearest !== undefined) {
    return { source: 'org', text: box().open(nearest.sealed, keyPurpose(nearest.orgId, provider)) }
  }
  const own = serverKey(settings, provider)
  return own === null ? { source: 'none', text: '' } : { source: 'server', text: own }
}
