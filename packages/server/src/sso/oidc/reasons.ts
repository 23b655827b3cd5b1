/**
 * The reasons for which a sign-in is refused, as a fixed list, so that administrators find each in the audit log and in
 * the guide.
 */
export const REASONS = {
  provider: 'the provider answered with an error',
  issuer: 'the answer has a different issuer, or none although one is required',
  token: 'the ID token is not signed by the provider, or not for this sign-in',
  'issued-at': 'the ID token is older than 10 minutes, or from the future',
  subject: 'the ID token identifies no person',
  'email-unverified': 'the provider does not confirm that the address is verified',
  'no-email': 'the provider sends no address, and the person is not known yet',
  'other-address': 'the invitation is for another address',
  amr: 'the person did not sign in with a method that the organization requires',
  changed: 'the settings of the provider changed in the meantime',
  disabled: 'the provider is switched off',
  feature: 'the organization has no single sign-on',
  domain: 'the organization has not proven the domain of the address',
  inactive: 'the membership or the account is not active',
  'no-account': 'nobody has the address, and a first sign-in does not create accounts',
  'other-subject': 'the account belongs to another person of the provider',
  seats: 'no seat is free',
  session: 'the session that started it has ended, or belongs to another person',
  browser: 'another browser, or another program, started the sign-in',
  late: 'the sign-in was not completed in time',
  redirect: 'the answer came to the address of another provider',
  'auth-time': 'the person did not sign in at the provider again',
} as const
export type Reason = keyof typeof REASONS

/** A refused sign-in; `detail` is for the audit log only. */
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
