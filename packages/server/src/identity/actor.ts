/** The acting person, for operations of this domain that need one. */
import { insufficient } from '../runtime/errors.js'
import type { ReadContext, WriteContext } from '../runtime/operation/context.js'

type Acting = Pick<ReadContext | WriteContext, 'principal'>

/**
 * The signed-in person.
 * @throws Refusal 403 for a service principal.
 */
export function actingUser({ principal }: Acting): string {
  if (principal.kind !== 'user') throw insufficient('permission', 'this is for people, not for service principals')
  return principal.userId
}

/** Null for a directory, which does not act as a member of the organization. */
export const actingPerson = ({ principal }: Acting): string | null =>
  principal.kind === 'user' ? principal.userId : null
