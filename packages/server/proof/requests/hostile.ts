/** Values that break careless code: prototype keys, numbers out of range, broken Unicode, depth, NUL bytes. */
import fc from 'fast-check'

/** One JSON text so deep that a recursive walk notices. */
const deep = (depth: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffx',
  '\u202eabc',
  '\ufeff',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "' OR '1'='1",
  "'; DROP TABLE users; --",
  '%',
  '_',
  '\\',
  '%00',
  '../../etc/passwd',
  '$' + '{jndi:ldap://x}',
  '<script>alert(1)</script>',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '9007199254740993',
  '-9223372036854775809',
  'null',
  'true',
  '[]',
  '{}',
  '\r\nx-injected: 1',
  'İıſK',
  '0'.repeat(40),
  'é'.normalize('NFD'),
  'a'.repeat(300),
  'A'.repeat(5000),
  '0000-00-00T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
]

/** As the unit `binary` of fast-check, which takes more than a second to list them all. */
const anyCharacters = fc
  .array(fc.integer({ min: 0, max: 0x10ffff - 0x800 }), { maxLength: 30 })
  .map((points) => String.fromCodePoint(...points.map((point) => (point < 0xd800 ? point : point + 0x800))))

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  anyCharacters,
  fc.string({ unit: 'grapheme', maxLength: 30 }),
)

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -0,
    -1,
    1.5,
    1e308,
    -1e308,
    5e-324,
    Number.MAX_SAFE_INTEGER,
    Number.MAX_SAFE_INTEGER + 2,
    2 ** 31,
    2 ** 63,
    [],
    {},
    [[]],
    [null],
    deep(20),
    deep(3000),
    { constructor: { prototype: { polluted: true } } },
    { toString: 1, valueOf: 2, toJSON: 3 },
    { length: 1e9 },
    Array.from({ length: 2000 }, (_, n) => n),
    Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n])),
  ),
  fc.jsonValue({ maxDepth: 4 }),
)

/** Bodies that are not JSON, or that say what JSON.parse does not give. */
export const HOSTILE_BODIES: readonly string[] = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '1e999',
  '{"__proto__":{"polluted":true}}',
  '{"\\u005f_proto__":{"polluted":true}}',
  '{"a":{"__proto__":{"polluted":true}}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":1,"a":2}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  '\ufeff{}',
  '{}{}',
  "{'a':1}",
  '[1e400]',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
]
