/** Field paths: most lead somewhere in the attributes, some nowhere, and those of `BAD_FIELDS` break the grammar. */
import type { Random } from '../random.js'
import { isRecord, KEYS } from './attributes.js'

/** A path that leads somewhere in the attributes, and what stands there. */
function existing(random: Random, attributes: Record<string, unknown>): { field: string; found: unknown } {
  let found: unknown = attributes
  let field = ''
  for (let steps = 0; steps < 5; steps++) {
    if (Array.isArray(found)) {
      if (random.chance(15)) return { field: `${field}.length`, found: found.length }
      if (found.length === 0 || random.chance(50)) break
      const index = random.below(found.length)
      field += random.chance(50) ? `.${index}` : `[${index}]`
      found = found[index]
    } else if (isRecord(found)) {
      const keys = Object.keys(found)
      if (keys.length === 0 || (steps > 0 && random.chance(40))) break
      const key = random.pick(keys)
      field += segment(random, key, steps === 0)
      found = Object.getOwnPropertyDescriptor(found, key)?.value
    } else break
  }
  return { field: field === '' ? 'name' : field, found }
}

function segment(random: Random, key: string, isFirst: boolean): string {
  if (isFirst) return key.includes('.') ? (key.split('.')[0] ?? key) : key
  if (!key.includes('.') && !random.chance(15)) return `.${key}`
  return random.chance(50) ? `["${key}"]` : `['${key}']`
}

const FUNCTIONS = ['count', 'length', 'keys', 'lines'] as const

export const BAD_FIELDS = [
  '',
  '.',
  'a.',
  '.a',
  'a..b',
  'a[',
  'a[x]',
  'a]b',
  '["a"]',
  'a["b',
  '$nope(a)',
  '$constructor(a)',
  '$count(a',
  '$count(a).b',
  '$count()',
  '$count($count($count($count(a))))',
  'count(a)',
  `a${'.b'.repeat(20)}`,
  'x'.repeat(101),
] as const

const LOST_FIELDS = [
  'missing',
  'name.x',
  'a.b.c.d',
  'tags.99',
  'tags.-1',
  'tags[4294967296]',
  'constructor.name',
  '__proto__.toString',
  'toString',
  'hasOwnProperty',
  'a.constructor',
  'tags.map',
  'name.length',
  'env.PATH',
  'env.API_TOKEN',
  'buildArgs["a.b"]',
  'metadata.credential',
  'a["\\"q\\\\"]',
  '$x',
  `a${'.b'.repeat(19)}`,
  'x'.repeat(100),
] as const

export function fieldOf(random: Random, attributes: Record<string, unknown>): { field: string; found: unknown } {
  const kind = random.below(100)
  const chosen =
    kind < 66
      ? existing(random, attributes)
      : kind < 78
        ? { field: random.pick(LOST_FIELDS), found: undefined }
        : { field: random.pick(KEYS).replace('.', '_'), found: undefined }
  if (!random.chance(22) || chosen.field.length > 80) return chosen
  const call = random.pick(FUNCTIONS)
  const field = random.chance(12)
    ? `$${random.pick(FUNCTIONS)}($${call}(${chosen.field}))`
    : `$${call}(${chosen.field})`
  return { field, found: computed(chosen.found) }
}

/** Close to what a computed function returns; only a bias, never a verdict. */
export function computed(found: unknown): unknown {
  if (typeof found === 'string' || Array.isArray(found)) return found.length
  return isRecord(found) ? Object.keys(found).length : 0
}
