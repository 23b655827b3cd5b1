/** Amounts for people: `$1,234.50`, a minus sign before the dollar sign. Locale-free, so that output is stable. */
import type { SignedCents } from './cents.js'

export function formatCents(amount: SignedCents): string {
  const magnitude = Math.abs(amount)
  const rest = magnitude % 100
  const whole = String((magnitude - rest) / 100).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${amount < 0 ? '-' : ''}$${whole}.${String(rest).padStart(2, '0')}`
}
