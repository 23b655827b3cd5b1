import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crypto } from '../../test/support/fixture.js'
import type { JsonValue } from '../canonical/json.js'
import { normalise } from '../canonical/normalise.js'
import { scrubText } from './account-token.js'
import { SCRUB_LIMITS, ScrubbedDetails, scrub } from './scrub.js'

const clean = (details: unknown) => scrub(crypto, details).details?.value
const removed = (details: unknown) => scrub(crypto, details).removed

describe('account numbers', () => {
  it.each([
    ['123456789012', '[REDACTED]'],
    ['arn:aws:iam::123456789012:role/x', 'arn:aws:iam::[REDACTED]:role/x'],
    ['a123456789012b', 'a[REDACTED]b'],
    ['_123456789012-123456789012.', '_[REDACTED]-[REDACTED].'],
    ['12345678901', '12345678901'],
    ['1234567890123', '1234567890123'],
    ['1234-5678-9012', '[REDACTED]'],
    ['x1234-5678-9012y', 'x[REDACTED]y'],
    ['-1234-5678-9012', '-1234-5678-9012'],
    ['1234-5678-9012-3456', '1234-5678-9012-3456'],
    ['١٢٣٤٥٦٧٨٩٠١٢', '١٢٣٤٥٦٧٨٩٠١٢'],
  ])('in %s', (text, expected) => {
    expect(scrubText(text)).toBe(expected)
    expect(scrubText(expected)).toBe(expected)
  })

  it('go from keys too, the last of equal keys wins, and the report does not show them', () => {
    const details = { 'x-123456789012': 1, 'x-210987654321': 2 }
    expect(clean(details)).toEqual({ 'x-[REDACTED]': 2 })
    expect(removed(details)).toEqual([
      { path: '/x-[REDACTED]', kind: 'account-number' },
      { path: '/x-[REDACTED]', kind: 'account-number' },
    ])
  })

  it('stay as numbers under a plain key', () => {
    expect(clean({ size: 123456789012 })).toEqual({ size: 123456789012 })
  })

  it('do not appear when a cut shortens a longer run to twelve digits', () => {
    const text = `${'x'.repeat(SCRUB_LIMITS.stringUnits - 12)}${'7'.repeat(20)}`
    expect(JSON.stringify(clean({ text }))).not.toMatch(/7{12}/)
  })
})

describe('keys', () => {
  it('that contain `account` lose every string and number below them', () => {
    const details = { AwsAccountId: 5, subAccounts: [{ n: 'x', on: true, none: null, deep: [1, 'y'] }] }
    expect(clean(details)).toEqual({
      AwsAccountId: '[REDACTED]',
      subAccounts: [{ n: '[REDACTED]', on: true, none: null, deep: ['[REDACTED]', '[REDACTED]'] }],
    })
  })

  it.each(['password', 'Passwd', 'client_secret', 'access-token', 'ID.TOKEN', 'apiKey', 'Set-Cookie', 'privateKey'])(
    'that name a secret lose their value: %s',
    (key) => {
      expect(clean({ [key]: 'x', b: { [key]: { deep: 1 } } })).toEqual({
        [key]: '[REDACTED]',
        b: { [key]: '[REDACTED]' },
      })
      expect(clean({ [key]: true })).toEqual({ [key]: true })
      expect(clean({ [key]: null })).toEqual({ [key]: null })
    },
  )

  it('that only resemble one keep it', () => {
    const details = { tokens: 5, secretary: 'Ada', passwordless: 'yes', count: 3 }
    expect(clean(details)).toEqual(details)
    expect(removed(details)).toEqual([])
  })
})

describe('bounds', () => {
  it('cut depth, keys, items and strings, and say so', () => {
    let deep: unknown = { end: 1 }
    for (let level = 0; level < 9; level++) deep = { d: deep }
    expect(JSON.stringify(clean(deep))).toBe(`${'{"d":'.repeat(8)}"[TRUNCATED]"${'}'.repeat(8)}`)
    const wide = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index]))
    expect(Object.keys(clean(wide) ?? {})).toHaveLength(201)
    expect(clean(wide)).toMatchObject({ k199: 199, '[TRUNCATED]': true })
    const long = clean({ list: Array.from({ length: 600 }, (_, index) => index) }) as { list: unknown[] }
    expect(long.list).toHaveLength(501)
    expect(long.list.at(-1)).toBe('[TRUNCATED]')
    expect((clean({ s: 'y'.repeat(9000) }) as { s: string }).s).toHaveLength(8192)
    expect(removed({ a: deep, wide, list: Array(600).fill(0), s: 'y'.repeat(9000) }).map(({ kind }) => kind)).toEqual([
      'depth',
      'keys',
      'items',
      'string-length',
    ])
  })

  it('replace what is too large as a whole by its size and hash', () => {
    const details = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`k${index}`, 'é'.repeat(4000)]))
    const value = clean(details) as { bytes: number; sha256: string; truncated: boolean }
    expect(value).toEqual({ truncated: true, bytes: 64_065, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(removed(details)).toEqual([{ path: '', kind: 'size' }])
  })

  it('hold for a report too', () => {
    const details = { list: Array.from({ length: 10 }, () => Array(400).fill('123456789012')) }
    const { removed: listed, removedCount } = scrub(crypto, details)
    expect(listed).toHaveLength(SCRUB_LIMITS.reported)
    expect(removedCount).toBeGreaterThanOrEqual(4000)
  })
})

/** What the rules say, read off the result without knowing how it was made. */
function survivors(value: JsonValue, key = '', inAccount = false): string[] {
  const secret =
    /^(password|passwd|passphrase|secret|clientsecret|token|accesstoken|refreshtoken|idtoken|apikey|authorization|cookie|setcookie|privatekey|webhooksecret|signingkey)$/
  const isSecret = secret.test(key.toLowerCase().replaceAll(/[_.-]/g, ''))
  const under = inAccount || key.toLowerCase().includes('account')
  const found: string[] = []
  if (/(?<!\d)\d{12}(?!\d)/.test(key)) found.push(`key ${key}`)
  if (isSecret && value !== null && typeof value !== 'boolean' && value !== '[REDACTED]') found.push(`secret ${key}`)
  if (typeof value === 'string') {
    if (/(?<!\d)\d{12}(?!\d)/.test(value)) found.push(value)
    if (under && value !== '[REDACTED]' && value !== '[TRUNCATED]') found.push(`account ${value}`)
  } else if (typeof value === 'number') {
    if (under) found.push(`account ${value}`)
  } else if (Array.isArray(value)) {
    for (const item of value) found.push(...survivors(item, '', under))
  } else if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) found.push(...survivors(member, name, under))
  }
  return found
}

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.stringMatching(/^[a-z:_-]{0,3}[0-9]{10,14}[a-z0-9:_-]{0,16}$/),
  fc.stringMatching(/^-?[0-9]{4}-[0-9]{4}-[0-9]{4,5}-?$/),
)
const hostileKey = fc.oneof(
  hostileText,
  fc.constantFrom(
    'account',
    'AccountId',
    'x_account_y',
    'password',
    'api-key',
    'Set_Cookie',
    'token',
    'name',
    '__proto__',
  ),
)
const hostile = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 10, depthSize: 'large' },
    hostileText,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('value'), { maxLength: 5 }),
  object: fc.dictionary(hostileKey, tie('value'), { maxKeys: 5 }),
}))

describe('for any details', () => {
  it('no account number, no value under an account-named key and no secret survives', () => {
    fc.assert(
      fc.property(hostile.object, (details) => {
        expect(survivors(clean(details) ?? null)).toEqual([])
      }),
      { numRuns: 1500 },
    )
  })

  it('nothing else changes, and a second scrub removes nothing more', () => {
    fc.assert(
      fc.property(hostile.object, (details) => {
        const once = scrub(crypto, details)
        const again = scrub(crypto, once.details?.value)
        expect(again.details?.text).toBe(once.details?.text)
        if (once.removedCount === 0) expect(once.details?.value).toEqual(normalise(details))
      }),
      { numRuns: 1000 },
    )
  })

  it('plain details come out as they went in', () => {
    const plain = fc.dictionary(
      fc.stringMatching(/^[b-z]{1,8}$/).filter((key) => !/token|secret|cookie|passw/.test(key)),
      fc.oneof(fc.integer(), fc.boolean(), fc.stringMatching(/^[a-z 0-9]{0,11}$/), fc.constant(null)),
    )
    fc.assert(
      fc.property(plain, (details) => {
        expect(clean(details)).toEqual(details)
        expect(removed(details)).toEqual([])
      }),
    )
  })

  it('the input is not touched', () => {
    const details = Object.freeze({ account: 'x', list: Object.freeze(['123456789012']) })
    expect(clean(details)).toEqual({ account: '[REDACTED]', list: ['[REDACTED]'] })
  })
})

describe('scrubbed details', () => {
  it('cannot be made by anything else', () => {
    expect(ScrubbedDetails.is(scrub(crypto, { a: 1 }).details)).toBe(true)
    expect(ScrubbedDetails.is({ text: '{}', value: {} })).toBe(false)
    expect(() => new ScrubbedDetails(Symbol('x') as never, {}, '{}')).toThrow(TypeError)
  })

  it('are null for nothing, and an object for anything else', () => {
    expect(scrub(crypto, null).details).toBeNull()
    expect(scrub(crypto, undefined).details).toBeNull()
    expect(clean('text')).toEqual({ value: 'text' })
    expect(clean([1])).toEqual({ value: [1] })
  })
})
