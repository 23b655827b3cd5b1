/** The pages of a sign-in: its start, the redirect address of the provider, and the target of the e-mailed link. */
import type { Page } from '../runtime/http/pages.js'

export const SSO_PAGES: readonly Page[] = [
  { path: '/sso/start', name: 'sso-start', title: 'Sign in' },
  { path: '/auth/callback/sso/:idpId', name: 'sso-callback', title: 'Signing in' },
  { path: '/oauth/start', name: 'social-start', title: 'Sign in' },
  { path: '/auth/callback/:provider', name: 'social-callback', title: 'Signing in' },
  { path: '/sso/confirm', name: 'sso-confirm', title: 'Join an organization' },
]
