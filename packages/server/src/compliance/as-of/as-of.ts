/**
 * The parameter `asOf`: evaluates by the rules that were in force at an instant in the past (spec compliance 13.3; ADR
 * 78).
 */
import Type from 'typebox'
import { insufficient, invalidField } from '../../runtime/errors.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { Instant } from '../../runtime/operation/schema.js'

export const AsOf = Type.Optional(
  Type.String({
    ...Instant,
    description: 'With the rules in force at this past instant; 409 before the first instant with stored history',
  }),
)

/**
 * The instant that the caller asks for; null for now.
 * @throws Refusal 403 without `compliance:read`, which reading the history of rules needs; 400 for the future.
 */
export function instantAskedFor(
  { authority, nowMs }: Pick<ReadContext, 'authority' | 'nowMs'>,
  asOf: string | undefined,
  at: '/body/asOf' | '/query/asOf',
): number | null {
  if (asOf === undefined) return null
  // guard: the-past-needs-the-right-to-read-it
  if (!authority.permissions.has('compliance:read')) {
    throw insufficient('permission', 'the past needs the permission compliance:read: leave `asOf` out', {
      required: ['compliance:read'],
      mode: 'all',
    })
  }
  const atMs = Date.parse(asOf)
  if (Number.isNaN(atMs)) throw invalidField(at, 'is not an instant: write 2026-01-31T12:00:00Z', 'format')
  // guard: the-future-is-not-told
  if (atMs > nowMs) throw invalidField(at, 'is in the future: `asOf` is for the past', 'future')
  return atMs
}
