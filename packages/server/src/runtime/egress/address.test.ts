/** Goal: no address that is not of the public internet passes, however it is written; and public ones do. */
import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLinkLocal, notPublic } from './address.js'
import { parseAddress } from './parse-address.js'
import { readTarget } from './target.js'

/** The registries again, as texts of bits: slow, and with nothing in common with the code but the tables of IANA. */
const V4_CLOSED = (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 ' +
  '192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 ' +
  '240.0.0.0/4 168.63.129.16/32'
).split(' ')
const V6_CLOSED = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20'.split(' ')

const bits4 = (text: string) =>
  text
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('')
function bits6(text: string): string {
  const [head = '', tail] = text.split('::')
  const list = (side: string | undefined) => (side === undefined || side === '' ? [] : side.split(':'))
  const [a, b] = [list(head), list(tail)]
  const all = tail === undefined ? a : [...a, ...Array(8 - a.length - b.length).fill('0'), ...b]
  return all.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('')
}
const within = (bits: string, cidr: string, of: (text: string) => string) => {
  const [prefix = '', length = ''] = cidr.split('/')
  return bits.slice(0, Number(length)) === of(prefix).slice(0, Number(length))
}
const isOpen4 = (text: string) => !V4_CLOSED.some((cidr) => within(bits4(text), cidr, bits4))
const isOpen6 = (text: string) =>
  bits6(text).startsWith('001') && !V6_CLOSED.some((cidr) => within(bits6(text), cidr, bits6))

const v4 = fc.oneof(
  fc.ipV4(),
  // Around the borders of each range, where a wrong mask shows.
  fc.tuple(fc.constantFrom(...V4_CLOSED), fc.integer({ min: -2, max: 2 }), fc.boolean()).map(([cidr, by, atEnd]) => {
    const [prefix = '', length = ''] = cidr.split('/')
    const start = Number.parseInt(bits4(prefix), 2)
    const edge = (atEnd ? start + 2 ** (32 - Number(length)) : start) + by
    const value = ((edge % 2 ** 32) + 2 ** 32) % 2 ** 32
    return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')
  }),
)
const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
const v6 = fc
  .oneof(
    groups,
    fc
      .tuple(fc.constantFrom(0x2000, 0x2001, 0x2002, 0x2620, 0x3fff, 0x64, 0xfc00, 0xfe80, 0xff02, 0), groups)
      .map(([first, rest]) => [first, ...rest.slice(1)]),
    fc.tuple(fc.constantFrom(...V6_CLOSED), groups).map(([cidr, rest]) => {
      const fixed =
        bits6(cidr.split('/')[0] ?? '')
          .match(/.{16}/g)
          ?.map((text) => Number.parseInt(text, 2)) ?? []
      return fixed.map((group, at) => (group === 0 && at > 0 ? (rest[at] ?? 0) & 0x1ff : group))
    }),
  )
  .map((numbers) => numbers.map((group) => group.toString(16)).join(':'))

describe('addresses', () => {
  it('agree with a comparison of bits, for IPv4', () => {
    fc.assert(
      fc.property(v4, (text) => (notPublic(text) === null) === isOpen4(text)),
      { numRuns: 5000 },
    )
  })

  it('agree with a comparison of bits, for IPv6', () => {
    fc.assert(
      fc.property(v6, (text) => (notPublic(text) === null) === isOpen6(text)),
      { numRuns: 5000 },
    )
  })

  it('are read as Node reads them, and never more', () => {
    const near = fc.stringMatching(/^[0-9a-fA-F:.%]{1,40}$/)
    const texts = fc.oneof(v4, v6, fc.ipV6(), near)
    fc.assert(
      fc.property(texts, (text) => {
        const bytes = parseAddress(text)
        if (bytes !== null) expect(isIP(text)).toBe(bytes.length === 4 ? 4 : 6)
        else if (!text.includes('%')) expect(isIP(text)).toBe(0)
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    ['127.0.0.1', 'loopback'],
    ['169.254.169.254', 'link-local'],
    ['168.63.129.16', 'cloud metadata'],
    ['::1', 'loopback'],
    ['::', 'unspecified'],
    ['::ffff:8.8.8.8', 'IPv4-mapped'],
    ['64:ff9b::a00:1', 'NAT64'],
    ['2002:7f00:1::', '6to4'],
    ['fd00:ec2::254', 'private'],
    ['fe80::1', 'link-local'],
    ['ff02::1', 'multicast'],
    ['::7f00:1', 'not global unicast'],
    ['4000::1', 'not global unicast'],
    ['fe80::1%eth0', 'no address'],
    ['127.1', 'no address'],
    ['0177.0.0.1', 'no address'],
    ['example.com', 'no address'],
    ['', 'no address'],
  ])('%s is %s', (text, reason) => {
    expect(notPublic(text)).toBe(reason)
  })

  it('knows the places of cloud metadata also behind a mapped address', () => {
    expect(['169.254.169.254', '::ffff:169.254.169.254', 'fe80::a9fe:a9fe'].map(isLinkLocal)).toEqual([
      true,
      true,
      true,
    ])
    expect(['10.0.0.1', '::1', '8.8.8.8', 'x'].map(isLinkLocal)).toEqual([false, false, false, false])
  })
})

/** One IPv4 address in every way that people have hidden one. */
const notations = fc
  .tuple(
    v4,
    fc.integer({ min: 1, max: 4 }),
    fc.array(fc.constantFrom('dec', 'oct', 'hex'), { minLength: 4, maxLength: 4 }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([text, count, forms, isWide, hasDot]) => {
    const bytes = text.split('.').map(Number)
    const head = bytes.slice(0, count - 1)
    const rest = bytes.slice(count - 1).reduce((sum, byte) => sum * 256 + byte, 0)
    const written = [...head, rest].map((number, at) => {
      const form = forms[at]
      return form === 'oct' ? `0${number.toString(8)}` : form === 'hex' ? `0x${number.toString(16)}` : String(number)
    })
    const host = `${written.join('.')}${hasDot ? '.' : ''}`
    // Full-width digits and stops, which mean the same in a URL.
    const wide = host
      .replaceAll(/[0-9a-fx]/g, (c) => String.fromCodePoint(c.charCodeAt(0) + 0xfee0))
      .replaceAll('.', '\u3002')
    return { text, host: isWide ? wide : host }
  })

describe('receivers', () => {
  it('a hidden address is read as the one that it is', () => {
    fc.assert(
      fc.property(notations, ({ text, host }) => {
        const target = readTarget(`https://${host}/hook`, [])
        if (isOpen4(text)) expect(target).toMatchObject({ host: text })
        else expect(target).toBe('has an address that is not public')
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    ['http://example.com/', 'must begin with https://'],
    ['ftp://example.com/', 'must begin with https://'],
    ['http+unix://%2Fvar%2Frun%2Fx.sock/', 'must begin with https://'],
    ['https://user@example.com/', 'must not hold credentials'],
    ['https://:pass@example.com/', 'must not hold credentials'],
    ['https://example.com/#part', 'must not have a fragment'],
    ['https://[fe80::1%25eth0]/', 'is not a URL'],
    ['https://[::ffff:10.0.0.1]/', 'has an address that is not public'],
    ['//example.com', 'is not a URL'],
    [`https://example.com/${'x'.repeat(500)}`, 'has more than 500 characters'],
  ])('%s is refused', (text, reason) => {
    expect(readTarget(text, [])).toBe(reason)
  })

  it('this machine is not a receiver by its name either, unless the operator allows it', () => {
    for (const host of ['localhost', 'a.localhost', 'LOCALHOST.']) {
      expect(readTarget(`https://${host}/x`, [])).toBe('has an address that is not public')
    }
    expect(readTarget('https://localhost/x', ['https://localhost'])).toMatchObject({ isAllowed: true })
  })

  it('what the operator vouches for is that origin and no other', () => {
    const allowed = ['http://127.0.0.1:9000', 'https://hooks.internal']
    expect(readTarget('http://127.0.0.1:9000/a?b', allowed)).toMatchObject({
      isAllowed: true,
      isTls: false,
      port: 9000,
      path: '/a?b',
    })
    expect(readTarget('https://hooks.internal/a', allowed)).toMatchObject({ isAllowed: true, isTls: true, port: 443 })
    for (const other of ['http://127.0.0.1:9001/', 'http://127.0.0.2:9000/', 'http://hooks.internal/']) {
      expect(readTarget(other, allowed)).toBe('must begin with https://')
    }
    expect(readTarget('https://127.0.0.1:9000/', allowed)).toBe('has an address that is not public')
    expect(readTarget('https://hooks.internal:8443/', allowed)).toMatchObject({ isAllowed: false })
  })
})
