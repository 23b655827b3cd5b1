/** The pages of a sign-in: where it begins, where the provider sends the browser back to, and what the e-mail leads to. */
import type { Page } from '../runtime/http/pages.js'

export const SSO_PAGES: readonly Page[] = [
  { path: '/sso/start', name: 'sso-start', title: 'Sign in' },
  { path: '/auth/callback/sso/:idpId', name: 'sso-callback', title: 'Signing in' },
  { path: '/oauth/start', name: 'social-start', title: 'Sign in' },
  { path: '/auth/callback/:provider', name: 'social-callback', title: 'Signing in' },
  { path: '/sso/confirm', name: 'sso-confirm', title: 'Join an organization' },
]
