/** Why a sign-in was refused: a list, so that administrators find each in the audit log and in the guide. */
export const REASONS = {
  provider: 'the provider answered with an error',
  issuer: 'the answer names another issuer, or none where one is promised',
  token: 'the ID token is not signed by the provider, or not for this sign-in',
  'issued-at': 'the ID token is older than 10 minutes, or from the future',
  subject: 'the provider names no person',
  'email-unverified': 'the provider does not say that the address is verified',
  'no-email': 'the provider sends no address, and the person is not known yet',
  amr: 'the person did not sign in by a method that the organization asks for',
  changed: 'the settings of the provider changed meanwhile',
  disabled: 'the provider is switched off',
  feature: 'the organization has no sign-on',
  domain: 'the organization does not prove the domain of the address',
  inactive: 'the membership or the account is not active',
  'no-account': 'nobody has the address, and accounts are not made by a first sign-in',
  'other-subject': 'the account belongs to another person of the provider',
  seats: 'no seat is free',
  session: 'the session that began it has ended, or belongs to somebody else',
  browser: 'another browser, or another program, began the sign-in',
  late: 'the sign-in was not completed in time',
  redirect: 'the answer came to the address of another provider',
  'auth-time': 'the person did not sign in at the provider again',
} as const
export type Reason = keyof typeof REASONS

/** A sign-in that goes no further; `detail` is for the evidence. */
export class SignInRefused extends Error {
  readonly reason: Reason
  readonly detail: string | null

  constructor(reason: Reason, detail: string | null = null) {
    super(REASONS[reason])
    this.name = 'SignInRefused'
    this.reason = reason
    this.detail = detail
  }
}
