/** Which address of a social account counts, and what identifies the account. */
import { describe, expect, it } from 'vitest'
import type { SocialProvider } from './catalogue.js'
import { personOfClaims, personOfGithub } from './person.js'

const provider = (id: SocialProvider['id']): SocialProvider => ({
  id,
  name: id,
  issuer: 'https://idp.test',
  clientId: 'plumbline',
  clientSecret: null,
  apiUrl: null,
})
const claims = { iss: 'https://idp.test', sub: 'ann', iat: 1000, email: 'ann@acme.test', auth_time: 990 }
const emailOf = (id: SocialProvider['id'], more: object) =>
  personOfClaims(provider(id), { ...claims, ...more }, 1_000_000).email

describe('a person of a social account', () => {
  it.each([
    ['google', { email_verified: true }, 'ann@acme.test'],
    ['gitlab', { email_verified: true, email: 'ann@ACME.test' }, 'ann@acme.test'],
    ['microsoft', { xms_edov: true }, 'ann@acme.test'],
    ['microsoft', { email_verified: true }, null],
    ['microsoft', { xms_edov: 'true' }, null],
    ['microsoft', { xms_edov: 1 }, null],
    ['google', { xms_edov: true }, null],
    ['google', { email_verified: 'true' }, null],
    ['google', { email_verified: false }, null],
    ['google', {}, null],
  ] as const)('%s %j has the address %s', (id, more, email) => {
    expect(emailOf(id, more)).toBe(email)
  })

  it.each([{ iss: 'https://other.test' }, { sub: '' }, { sub: 7 }, { iat: 300 }, { azp: 'other' }])(
    'is nobody with %j',
    (more) => {
      expect(() => emailOf('google', { email_verified: true, ...more })).toThrow()
    },
  )

  it('is a number of GitHub, with the primary address that is verified', () => {
    const at = (user: unknown, emails: unknown) => personOfGithub('https://github.com', user, emails)
    const own = { email: 'ann@acme.test', primary: true, verified: true }
    expect(at({ id: 7, login: 'ann' }, [{ ...own, primary: false }, own])).toEqual({
      issuer: 'https://github.com',
      subject: '7',
      email: 'ann@acme.test',
      authTimeS: null,
    })
    for (const emails of [[], null, 'x', [null], [{ ...own, verified: 'true' }], [{ ...own, primary: 1 }]]) {
      expect(at({ id: 7 }, emails).email).toBeNull()
    }
    for (const user of [null, {}, { id: '7' }, { id: 0 }, { id: -1 }, { id: 1.5 }, { id: Number.MAX_VALUE }, [7]]) {
      expect(() => at(user, [own])).toThrow()
    }
    expect(() => at({ id: 7 }, [{ ...own, email: 'ann@acme.test,eve@evil.test' }])).toThrow()
  })
})
