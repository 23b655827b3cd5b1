/** Where somebody might point a webhook, and what might stand there: all from one seed. */
import fc from 'fast-check'

export type Behaviour =
  | { readonly kind: 'ok' | 'silent' | 'slow headers' | 'slow body' | 'endless body' }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }

export interface Case {
  readonly kind: 'literal' | 'name' | 'mixed' | 'rebinding' | 'redirect' | 'bad receiver' | 'public'
  /** The URL as somebody types it. */
  readonly url: string
  readonly host: string
  /** What its name server says, one list a look-up; none for an address. */
  readonly answers: readonly (readonly string[])[]
  readonly behaviour: Behaviour
}

/** First and last addresses of what nobody outside may name, and some in between. */
export const CLOSED_V4 = [
  ...['0.0.0.1', '0.255.255.255', '10.0.0.1', '10.255.255.254', '100.64.0.1', '100.127.255.254', '100.100.100.200'],
  ...['127.0.0.1', '127.255.255.254', '169.254.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.254', '192.0.0.1'],
  ...['192.0.0.192', '192.0.2.1', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.168.0.1', '192.168.255.254'],
  ...['192.175.48.1', '198.18.0.1', '198.19.255.254', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255'],
  ...['240.0.0.1', '255.255.255.254', '255.255.255.255', '168.63.129.16'],
] as const
export const CLOSED_V6 = [
  ...[
    '::',
    '::1',
    '::7f00:1',
    '::ffff:7f00:1',
    '::ffff:a00:1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '64:ff9b::a00:1',
  ],
  ...['64:ff9b:1::1', '100::1', '2001::1', '2001:10::1', '2001:db8::1', '2002:7f00:1::1', '2002:a00:1::1'],
  ...[
    '2620:4f:8000::1',
    '3fff::1',
    '3fff:fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '4000::1',
  ],
] as const
const OPEN = [
  '8.8.8.8',
  '93.184.216.34',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450::1',
] as const

const port = fc.constantFrom(80, 443, 8080, 9200)
const closedV4 = fc.constantFrom(...CLOSED_V4)
const closed = fc.oneof(closedV4, fc.constantFrom(...CLOSED_V6))
const open = fc.constantFrom(...OPEN)
const OK: Behaviour = { kind: 'ok' }

const NOTATIONS: readonly ((bytes: readonly number[]) => string)[] = [
  (b) => b.join('.'),
  (b) => `${b.join('.')}.`,
  (b) => String(whole(b)),
  (b) => `0x${whole(b).toString(16)}`,
  (b) => `0${whole(b).toString(8)}`,
  (b) => b.map((byte) => `0x${byte.toString(16)}`).join('.'),
  (b) => b.map((byte) => `0${byte.toString(8).padStart(4, '0')}`).join('.'),
  (b) => `${b[0]}.${(b[1] ?? 0) * 65_536 + (b[2] ?? 0) * 256 + (b[3] ?? 0)}`,
  (b) => `${b[0]}.${b[1]}.${(b[2] ?? 0) * 256 + (b[3] ?? 0)}`,
  (b) => [...b.join('.')].map((c) => (c === '.' ? '\u3002' : String.fromCodePoint(c.charCodeAt(0) + 0xfee0))).join(''),
  (b) => `[::ffff:${b.join('.')}]`,
  (b) => `[64:ff9b::${b.join('.')}]`,
  (b) => `[2002:${hex(b, 0)}:${hex(b, 2)}::]`,
  (b) => `[::${b.join('.')}]`,
  (b) => `public.example@${b.join('.')}`,
  (b) => `${b.join('%2e')}`,
  (b) => `[fe80::${hex(b, 2)}%25lo]`,
]
const whole = (bytes: readonly number[]): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0)
const hex = (b: readonly number[], at: number): string => ((b[at] ?? 0) * 256 + (b[at + 1] ?? 0)).toString(16)

const literal = fc.oneof(
  fc.tuple(closedV4, fc.constantFrom(...NOTATIONS)).map(([address, write]) => write(address.split('.').map(Number))),
  fc.constantFrom(...CLOSED_V6).map((address) => `[${address}]`),
)

const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address)

/** @param name unique to the case, so that name servers tell them apart. */
export function caseOf(name: string): fc.Arbitrary<Case> {
  const named = (
    kind: Case['kind'],
    answers: fc.Arbitrary<readonly (readonly string[])[]>,
    behaviour: fc.Arbitrary<Behaviour> = fc.constant(OK),
  ) =>
    fc.tuple(port, answers, behaviour).map(
      ([at, list, does]): Case => ({
        kind,
        url: `https://${name}:${at}/hook`,
        host: name,
        answers: list,
        behaviour: does,
      }),
    )
  const one = (address: fc.Arbitrary<string>) => address.map((each) => [[each]])
  const mixed = fc
    .tuple(fc.array(open, { minLength: 1, maxLength: 3 }), fc.array(closed, { minLength: 1, maxLength: 2 }))
    .chain(([good, bad]) => fc.shuffledSubarray([...good, ...bad], { minLength: good.length + bad.length }))
    .map((addresses) => [addresses])
  const redirect = fc
    .tuple(fc.constantFrom(301, 302, 303, 307, 308), closed, port)
    .map(([status, to, at]): Behaviour => ({ kind: 'redirect', status, location: `http://${bracketed(to)}:${at}/` }))
  const bad = fc
    .constantFrom('silent', 'slow headers', 'slow body', 'endless body' as const)
    .map((kind): Behaviour => ({ kind }))
  const typed = fc
    .tuple(literal, port)
    .map(
      ([host, at]): Case => ({ kind: 'literal', url: `https://${host}:${at}/hook`, host, answers: [], behaviour: OK }),
    )
  return fc.oneof(
    { weight: 8, arbitrary: typed },
    { weight: 4, arbitrary: named('name', one(closed)) },
    { weight: 4, arbitrary: named('mixed', mixed) },
    {
      weight: 4,
      arbitrary: named(
        'rebinding',
        fc.tuple(open, closed).map(([first, then]) => [[first], [then]]),
      ),
    },
    { weight: 3, arbitrary: named('redirect', one(open), redirect) },
    { weight: 1, arbitrary: named('bad receiver', one(open), bad) },
    { weight: 1, arbitrary: named('public', one(open)) },
  )
}
