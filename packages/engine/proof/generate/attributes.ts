/**
 * Attributes of an entity: edge values of every JSON type, values that JSON does not know, keys of object prototypes,
 * names that redaction knows, and values at the bound of an `actualValue`.
 */
import type { Random } from '../random.js'
import { INSTANTS_MS } from './instants.js'

export const KEYS = [
  'name',
  'version',
  'timeout',
  'tags',
  'env',
  'buildArgs',
  'secrets',
  'metadata',
  'labels',
  'apiKey',
  'tokens',
  'dbPassword',
  'requiredSecrets',
  'steps',
  'a',
  'b',
  'a b',
  'x:y',
  'team.name',
  'length',
  '0',
  'constructor',
  '__proto__',
  'toString',
  'ключ',
] as const

const NUMBERS = [0, -0, 1, -1, 2, 3, 5, 12, 100, 1.5, 0.1, 1000, 1e21, 1e-7, 1e308, -1e308, 5e-324, 2 ** 53]
export const TEXTS = [
  '',
  ' ',
  'a',
  'A',
  'b',
  'ab',
  'prod',
  'Prod',
  'PROD',
  'production',
  'v1.2',
  '1.2.3',
  '0',
  '1',
  '-0',
  '12',
  ' 12 ',
  '1e3',
  '.5',
  '0x10',
  '1,5',
  '1e999',
  'true',
  'false',
  'null',
  'undefined',
  'NaN',
  '[object Object]',
  'a,b',
  'a\nb',
  'a\r\nb\n',
  '\n',
  'x\u2028y',
  '\u00a012',
  '\ud800',
  'x\udc00',
  '😀',
  'É',
  'é',
  'ß',
  'SS',
  'İ',
  'ı',
  'I',
  'i',
  '\u212a',
  'k',
  '[REDACTED]',
  '…',
] as const

export function entity(random: Random): Record<string, unknown> {
  return container(random, 1 + random.below(7), 0)
}

function container(random: Random, size: number, depth: number): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (let i = 0; i < size; i++) put(result, random.pick(KEYS), value(random, depth + 1))
  return result
}

/** As `JSON.parse` does it: `__proto__` becomes an own key. */
export function put(target: Record<string, unknown>, key: string, item: unknown): void {
  Object.defineProperty(target, key, { value: item, enumerable: true, configurable: true, writable: true })
}

export function value(random: Random, depth: number): unknown {
  const kind = random.below(100)
  if (kind < 30) return random.pick(TEXTS)
  if (kind < 50) return number(random)
  if (kind < 58) return random.chance(50)
  if (kind < 62) return null
  if (kind < 66) return foreign(random)
  if (kind < 68) return long(random)
  if (depth > 3) return random.pick([[], {}, 'leaf', 7])
  if (kind < 84) return Array.from({ length: size(random) }, () => value(random, depth + 1))
  return container(random, size(random), depth)
}

const size = (random: Random): number => (random.chance(2) ? 60 + random.below(120) : random.below(4))

export const number = (random: Random): number => (random.chance(50) ? random.below(8) : random.pick(NUMBERS))

/** Values that JSON does not know. */
function foreign(random: Random): unknown {
  return random.pick<() => unknown>([
    () => new Date(INSTANTS_MS[random.below(INSTANTS_MS.length)] ?? 0),
    () => new Date(Number.NaN),
    () => BigInt(random.below(20)),
    () => Number.NaN,
    () => Number.POSITIVE_INFINITY,
    () => undefined,
    () => () => 1,
    () => Symbol.iterator,
  ])()
}

/** Values at the bound of an `actualValue`. */
function long(random: Random): unknown {
  const length = 1015 + random.below(16)
  const filler = random.pick(['x', 'é', '😀', '\ud800', '"', '1\n'])
  const text = filler.repeat(length).slice(0, length)
  return random.pick<() => unknown>([
    () => text,
    () => [text.slice(0, 1000), 1, 'tail', 2, 3, 'end'],
    () => ({ head: text.slice(0, 1000), n: 1, tail: 'x', token: 'y' }),
    () => Array.from({ length: 500 + random.below(20) }, (_, i) => i % 10),
  ])()
}

/** The same entity with a few values changed, so that verdicts on a path differ from one trial to the next. */
export function varied(random: Random, base: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(base)) {
    if (random.chance(8)) continue
    const item = base[key]
    if (isRecord(item) && random.chance(40)) put(copy, key, varied(random, item))
    else put(copy, key, random.chance(40) ? near(random, item) : item)
  }
  if (random.chance(20)) put(copy, random.pick(KEYS), value(random, 1))
  return copy
}

export const isRecord = (item: unknown): item is Record<string, unknown> =>
  typeof item === 'object' && item !== null && Object.getPrototypeOf(item) === Object.prototype && !Array.isArray(item)

/** A value that a careless comparison confuses with the given one. */
export function near(random: Random, item: unknown): unknown {
  if (random.chance(50)) return item
  switch (typeof item) {
    case 'number':
      return random.pick<unknown>([item + 1, item - 1, -item, String(item), ` ${item} `, [item], item > 0, item / 2])
    case 'string':
      return random.pick<unknown>([
        item.toUpperCase(),
        item.toLowerCase(),
        `${item}x`,
        item.slice(1),
        item.slice(0, 3),
        [item],
        Number(item) || 0,
        { a: item },
        item.length,
      ])
    case 'boolean':
      return random.pick<unknown>([String(item), !item, Number(item), [item]])
    default:
      if (Array.isArray(item)) {
        return random.pick<() => unknown>([
          () => item.slice(1),
          () => [...item].reverse(),
          () => item[0],
          () => [...item, random.pick(TEXTS)],
          () => [...item, []],
          () => item.length,
          () => ({ ...item }),
        ])()
      }
      if (isRecord(item)) {
        return random.pick<() => unknown>([
          () => Object.fromEntries(Object.entries(item).reverse()),
          () => Object.fromEntries(Object.entries(item).slice(1)),
          () => Object.values(item),
          () => Object.keys(item).length,
          () => [item],
        ])()
      }
      return random.pick<unknown>([null, '', 0, 'null', []])
  }
}
