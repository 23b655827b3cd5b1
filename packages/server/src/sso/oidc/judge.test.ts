/** The meaning of each claim: the checks that no library makes for us. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Claims, checkAskedAgain, judgeClaims } from './judge.js'
import { SignInRefused } from './reasons.js'

const NOW_S = 1_800_000_000
const expected = {
  issuer: 'https://login.test',
  clientId: 'plumbline',
  trustEmail: false,
  amr: [] as readonly string[],
  groupsClaim: 'groups' as string | null,
  nowMs: NOW_S * 1000,
}
const claims = (more: Claims = {}): Claims => ({
  iss: 'https://login.test',
  sub: 'ann',
  iat: NOW_S,
  email: 'Ann@ACME.test',
  email_verified: true,
  ...more,
})

const reasonOf = (more: Claims, other: Partial<typeof expected> = {}): string | null => {
  try {
    judgeClaims(claims(more), { ...expected, ...other })
    return null
  } catch (error) {
    return error instanceof SignInRefused ? error.reason : String(error)
  }
}

describe('claims', () => {
  it.each<[string, Claims, string | null]>([
    ['as they should be', {}, null],
    ['of another issuer', { iss: 'https://other.test' }, 'issuer'],
    ['for another client', { azp: 'other' }, 'token'],
    ['for this client', { azp: 'plumbline' }, null],
    ['issued 10 minutes ago', { iat: NOW_S - 600 }, null],
    ['issued longer ago', { iat: NOW_S - 601 }, 'issued-at'],
    ['issued in a minute', { iat: NOW_S + 60 }, null],
    ['issued later', { iat: NOW_S + 61 }, 'issued-at'],
    ['issued at a text', { iat: String(NOW_S) }, 'issued-at'],
    ['issued at no number', { iat: Number.NaN }, 'issued-at'],
    ['of nobody', { sub: '' }, 'subject'],
    ['of a blank', { sub: ' \t' }, 'subject'],
    ['of a long name', { sub: 'x'.repeat(255) }, null],
    ['of a longer name', { sub: 'x'.repeat(256) }, 'subject'],
    ['of a list', { sub: ['ann'] }, 'subject'],
    ['without an address', { email: undefined, email_verified: undefined }, null],
    ['unverified', { email_verified: false }, 'email-unverified'],
    ['verified by a text', { email_verified: 'true' }, 'email-unverified'],
    ['verified by nothing', { email_verified: null }, 'email-unverified'],
    ['silent about the address', { email_verified: undefined }, 'email-unverified'],
    ['with a list of addresses', { email: ['ann@acme.test'] }, 'no-email'],
    ['with addresses in one text', { email: 'eve,ann@acme.test' }, 'no-email'],
    ['with an address that ends a line', { email: 'ann@acme.test\n' }, 'no-email'],
    ['with an address of a look-alike', { email: 'ann@аcme.test' }, 'no-email'],
  ])('%s', (_name, more, reason) => expect(reasonOf(more)).toBe(reason))

  it('trust an address only where nothing is said about it', () => {
    expect(reasonOf({ email_verified: undefined }, { trustEmail: true })).toBeNull()
    for (const said of [false, 'true', null, 0]) {
      expect(reasonOf({ email_verified: said }, { trustEmail: true })).toBe('email-unverified')
    }
  })

  it('name a method that is asked for', () => {
    expect(reasonOf({ amr: ['pwd', 'mfa'] }, { amr: ['mfa', 'hwk'] })).toBeNull()
    for (const amr of [['pwd'], undefined, 'mfa', []]) expect(reasonOf({ amr }, { amr: ['mfa'] })).toBe('amr')
  })

  it('keep apart that there are no groups and that nothing is said of them', () => {
    const groups = (more: Claims) => judgeClaims(claims(more), expected).groups
    expect(groups({})).toBeNull()
    expect(groups({ groups: [] })).toEqual([])
    expect(groups({ groups: ['a', 'b', 'a', 7, ''] })).toEqual(['a', 'b'])
    expect(groups({ groups: 'a' })).toEqual(['a'])
    expect(groups({ groups: { a: 1 } })).toBeNull()
    expect(groups({ groups: [], _claim_names: { groups: 'src1' } })).toBeNull()
    expect(judgeClaims(claims({ groups: ['a'] }), { ...expected, groupsClaim: null }).groups).toBeNull()
  })

  it('are refused or read, whatever they hold', () => {
    const any = fc.dictionary(
      fc.constantFrom(
        'iss',
        'sub',
        'iat',
        'azp',
        'email',
        'email_verified',
        'amr',
        'groups',
        '_claim_names',
        'sid',
        'name',
      ),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(any, (more) => {
        const reason = reasonOf(more)
        expect(reason === null || /^[a-z-]+$/.test(reason)).toBe(true)
        if (reason !== null) return
        const { subject, email } = judgeClaims(claims(more), expected)
        expect(subject.trim()).not.toBe('')
        expect(email === null || claims(more).email_verified === true).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('say that the person was asked again a moment ago', () => {
    const asked = (auth_time: unknown) => () =>
      checkAskedAgain(judgeClaims(claims({ auth_time }), expected), expected.nowMs)
    expect(asked(NOW_S - 60)).not.toThrow()
    for (const time of [NOW_S - 61, NOW_S + 61, undefined, String(NOW_S)]) expect(asked(time)).toThrow(SignInRefused)
  })
})
