/**
 * Formats amounts for people: `$1,234.50`, with a minus sign before the dollar sign. It ignores locales, so that output
 * is stable.
 */
import type { SignedCents } from './cents.js'

export function formatCents(amount: SignedCents): string {
  const magnitude = Math.abs(amount)
  const rest = magnitude % 100
  const whole = thousands((magnitude - rest) / 100)
  return `${amount < 0 ? '-' : ''}$${whole}.${String(rest).padStart(2, '0')}`
}

/** Separates groups of three digits with commas. */
function thousands(whole: number): string {
  const digits = String(whole)
  const first = digits.length % 3
  const groups = digits.slice(first).match(/\d{3}/g) ?? []
  return [...(first === 0 ? [] : [digits.slice(0, first)]), ...groups].join(',')
}
