/** The providers of social accounts, and the operator's settings for each. */
import { Refusal } from '../../runtime/errors.js'
import type { Settings } from '../../runtime/settings/load.js'

export const SOCIAL_PROVIDERS = ['google', 'github', 'gitlab', 'microsoft'] as const
export type SocialProviderId = (typeof SOCIAL_PROVIDERS)[number]

export interface SocialProvider {
  readonly id: SocialProviderId
  readonly name: string
  /** The issuer of external accounts; together with the subject it is the key. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | null
  /** The address of the API, for a provider without OpenID Connect. */
  readonly apiUrl: string | null
}

const NAMES: Readonly<Record<SocialProviderId, string>> = {
  google: 'Google',
  github: 'GitHub',
  gitlab: 'GitLab',
  microsoft: 'Microsoft',
}

/** An address without the slash that a URL parser adds to an origin. */
const bare = (url: unknown): string => String(url).replace(/(?<!\/)\/+$/, '')

function settingsOf(settings: Settings, id: SocialProviderId) {
  switch (id) {
    case 'google':
      return [
        settings.OAUTH_GOOGLE_CLIENT_ID,
        settings.OAUTH_GOOGLE_CLIENT_SECRET,
        settings.OAUTH_GOOGLE_ISSUER,
      ] as const
    case 'gitlab':
      return [
        settings.OAUTH_GITLAB_CLIENT_ID,
        settings.OAUTH_GITLAB_CLIENT_SECRET,
        settings.OAUTH_GITLAB_ISSUER,
      ] as const
    case 'microsoft':
      return [
        settings.OAUTH_MICROSOFT_CLIENT_ID,
        settings.OAUTH_MICROSOFT_CLIENT_SECRET,
        settings.OAUTH_MICROSOFT_ISSUER,
      ] as const
    default:
      return [settings.OAUTH_GITHUB_CLIENT_ID, settings.OAUTH_GITHUB_CLIENT_SECRET, settings.OAUTH_GITHUB_URL] as const
  }
}

/** The providers for which the operator has set a client id. */
export function socialProviders(settings: Settings): SocialProvider[] {
  return SOCIAL_PROVIDERS.flatMap((id) => {
    const [clientId, clientSecret, issuer] = settingsOf(settings, id)
    if (clientId === null) return []
    const apiUrl = id === 'github' ? bare(settings.OAUTH_GITHUB_API_URL) : null
    return [{ id, name: NAMES[id], issuer: bare(issuer), clientId, clientSecret, apiUrl }]
  })
}

/** Whether it authenticates a person again who is signed in there. Only OpenID Connect can ask for that. */
export const asksAgain = ({ apiUrl }: SocialProvider): boolean => apiUrl === null

/** @throws Refusal 404 for a provider that is not set up here. */
export function socialProvider(settings: Settings, id: string): SocialProvider {
  const found = socialProviders(settings).find((each) => each.id === id)
  if (found !== undefined) return found
  throw new Refusal(
    'NOT_FOUND',
    'this server has no such sign-in provider: `GET /auth/oauth/providers` lists those that the operator set up',
  )
}
