/** The pages that the links of our e-mails lead to; a test compares them with the links. */
import type { Page } from '../../runtime/http/pages.js'

export const IDENTITY_PAGES: readonly Page[] = [
  { path: '/reset-password', name: 'reset-password', title: 'Set a new password' },
  { path: '/verify-email', name: 'verify-email', title: 'Confirm your e-mail address' },
  { path: '/restore-email', name: 'restore-email', title: 'Take your e-mail address back' },
  { path: '/invite/accept', name: 'invite-accept', title: 'Answer an invitation' },
]
