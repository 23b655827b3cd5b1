/**
 * Conditions whose value lies close to what their path finds, so that both verdicts are frequent; a few are broken the
 * way imports and hand-written files are.
 */
import { operandReaders } from '../../src/operator/operand.js'
import type { Condition, OperatorName } from '../../src/types.js'
import type { Random } from '../random.js'
import { isRecord, near, number, put, value } from './attributes.js'
import { INSTANTS } from './instants.js'
import { BAD_FIELDS, computed, fieldOf } from './paths.js'

/** Every operator; equality, which most rules use, twice. */
const COMMON = (Object.keys(operandReaders) as OperatorName[]).flatMap((name) =>
  name === 'eq' || name === 'neq' ? [name, name] : [name],
)

/** Operators that can hold on the value found. */
function fitting(found: unknown): readonly OperatorName[] {
  if (Array.isArray(found))
    return ['eq', 'neq', 'contains', 'notContains', 'in', 'notIn', 'notEmpty', 'countGt', 'countLt']
  if (isRecord(found)) return ['eq', 'neq', 'exists', 'notEmpty', 'countGt', 'countLt']
  if (typeof found === 'number') return ['eq', 'gt', 'gte', 'lt', 'lte', 'in', 'notIn', 'countGt', 'lengthLt', 'regex']
  if (typeof found === 'string')
    return ['eq', 'neq', 'contains', 'notContains', 'in', 'regex', 'lengthGt', 'lengthLt', 'gte']
  return ['eq', 'neq', 'in', 'notIn', 'notExists', 'notContains', 'exists']
}

const PATTERNS = [
  'a',
  '^a',
  'b$',
  '^prod$',
  'prod|dev',
  '^[a-z]+$',
  '[0-9]',
  '^\\d+\\.\\d+(\\.\\d+)?$',
  '^v?[0-9]+',
  '\\s',
  '^$',
  '^.$',
  '^.{2,4}$',
  '[^a-z]',
  'É',
  'true',
  '^-?\\d+$',
  '^(?:a|b|ab)$',
  'x*',
  '\\w\\W',
  '[A-Z][a-z]*d',
  '\\bprod\\b',
] as const
const BAD_PATTERNS = [
  '',
  '(',
  '[a',
  '(a+)+',
  '(a+?)+',
  '(?=a)b',
  '(?!a)',
  '(?<=a)b',
  '(a)\\1',
  'x'.repeat(101),
] as const

export function condition(random: Random, attributes: Record<string, unknown>): Condition {
  const { field, found } = fieldOf(random, attributes)
  const operator = random.pick(random.chance(60) ? fitting(found) : COMMON)
  const entry: Record<string, unknown> = { field, operator }
  const operand = operandFor(random, operator, found)
  if (operand !== undefined) entry.value = operand
  return (random.chance(4) ? broken(random, entry) : entry) as Condition
}

function operandFor(random: Random, operator: OperatorName, found: unknown): unknown {
  switch (operator) {
    case 'eq':
    case 'neq':
      return plain(random, random.chance(65) ? near(random, found) : value(random, 2))
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return numeric(random, found)
    case 'contains':
    case 'notContains':
      return scalar(random, found)
    case 'in':
    case 'notIn': {
      const list = Array.from({ length: 1 + random.below(3) }, () => scalar(random, found))
      return random.chance(15) ? [...list, null] : list
    }
    case 'regex':
      return random.chance(92) ? random.pick(PATTERNS) : random.pick(BAD_PATTERNS)
    case 'exists':
    case 'notExists':
    case 'notEmpty':
      return random.chance(10) ? null : undefined
    default: {
      const length = Number.isInteger(found) ? Number(found) : Number(computed(found))
      const bound = Math.min(1e9, Math.max(-1, length + random.below(3) - 1))
      return random.chance(10) ? String(bound) : bound
    }
  }
}

function numeric(random: Random, found: unknown): unknown {
  const base = typeof found === 'string' || typeof found === 'number' ? Number(found) : Number.NaN
  const near = Number.isFinite(base) && random.chance(70) ? base + random.pick([0, 0, 1, -1, 0.5]) : number(random)
  const finite = Number.isFinite(near) ? near : 0
  return random.chance(20) ? random.pick([` ${finite} `, String(finite), '1e3', '.5', '-1.5']) : finite
}

function scalar(random: Random, found: unknown): unknown {
  const chosen = random.chance(65)
    ? near(random, Array.isArray(found) ? random.pick([...found, 'a']) : found)
    : undefined
  if (typeof chosen === 'string' && chosen !== '') return chosen
  if (typeof chosen === 'number' || typeof chosen === 'boolean') return Number.isFinite(Number(chosen)) ? chosen : 0
  return random.pick<unknown>(['a', 'prod', 'PROD', 'b', '12', 'true', 'é', 'i', 'k', 'ss', 1, 0, 12, true, false])
}

/** A rule's value is always JSON. */
function plain(random: Random, item: unknown): unknown {
  if (typeof item === 'number') return Number.isFinite(item) ? item : 0
  if (item === undefined || typeof item === 'function' || typeof item === 'bigint' || typeof item === 'symbol')
    return null
  if (typeof item !== 'object' || item === null) return item
  if (item instanceof Date) return random.pick(INSTANTS)
  if (Array.isArray(item)) return item.map((each) => plain(random, each))
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(item)) put(copy, key, plain(random, (item as Record<string, unknown>)[key]))
  return copy
}

/** One thing wrong, the way imports and hand-written files get it wrong. */
function broken(random: Random, entry: Record<string, unknown>): unknown {
  const { value: _, ...rest } = entry
  return random.pick<() => unknown>([
    () => ({ ...entry, field: random.pick(BAD_FIELDS) }),
    () => ({ ...entry, operator: random.pick(['equals', 'constructor', 'toString', '__proto__', 'EQ', '']) }),
    () => rest,
    () => ({ ...entry, operator: 'in', value: random.pick<unknown>(['a', 1, [], [[]], { 0: 'a' }, null]) }),
    () => ({ ...entry, operator: 'contains', value: random.pick<unknown>(['', [], {}, null]) }),
    () => ({ ...entry, operator: 'lte', value: random.pick<unknown>(['x', '', true, [1], null, '0x10', '1e999']) }),
    () => ({ ...entry, operator: 'countGt', value: random.pick<unknown>([1.5, -2, 2e9, 'x', null, true]) }),
    () => ({ ...entry, operator: 'regex', value: random.pick<unknown>([1, null, ['a'], ...BAD_PATTERNS]) }),
    () => ({ ...entry, operator: 'exists', value: random.pick<unknown>([true, 0, '']) }),
    () => ({ field: entry.field }),
    () => ({ operator: entry.operator, value: 1 }),
    () => ({}),
  ])()
}
