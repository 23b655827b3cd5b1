/** Prints a case as JSON text; values that JSON does not know are spelled out, so that nobody mistakes them. */
export function readable(value: unknown): string {
  return JSON.stringify(spell(value), null, 2)
}

function spell(value: unknown): unknown {
  if (Object.is(value, -0)) return '<-0>'
  if (typeof value === 'number' && !Number.isFinite(value)) return `<${value}>`
  if (typeof value === 'bigint') return `<${value}n>`
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return `<${typeof value}>`
  if (value instanceof Date) return `<Date ${Number.isNaN(value.getTime()) ? 'invalid' : value.toISOString()}>`
  if (Array.isArray(value)) return value.map(spell)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.keys(value).map((key) => [key, spell(Object.getOwnPropertyDescriptor(value, key)?.value)])
  return Object.fromEntries(members)
}
