/** The answers to a sign-in that came back from the provider. */
import Type from 'typebox'
import { TokenSet } from '../../identity/index.js'
import { Refusal } from '../../runtime/errors.js'
import { choice, Instant, nullable, strictObject } from '../../runtime/operation/schema.js'

const returnTo = Type.String({ description: 'A path of this server' })

export const Outcome = Type.Union([
  strictObject({ kind: Type.Literal('session'), returnTo, tokens: TokenSet }),
  strictObject({ kind: Type.Literal('attached'), returnTo }),
  strictObject({ kind: Type.Literal('step-up'), returnTo, stepUpToken: Type.String(), expiresAt: Instant }),
  strictObject({ kind: Type.Literal('confirm') }, { description: 'Whether an e-mail explains how the person joins' }),
  strictObject({ kind: Type.Literal('program'), location: Type.String({ description: 'Of the program that waits' }) }),
  strictObject({
    kind: Type.Literal('test'),
    claims: Type.Record(Type.String(), Type.Unknown()),
    wouldBe: choice(['in', 'linked', 'confirmed', 'created', 'refused'] as const),
    reason: nullable(Type.String()),
    email: nullable(Type.String()),
    groups: nullable(Type.Array(Type.String())),
  }),
])

/**
 * The same answer for every cause. Whether an account exists, and what is wrong with it, is only in the organization's
 * audit log.
 */
export const ssoRefused = (): Refusal =>
  new Refusal(
    'SSO_REFUSED',
    'you cannot sign in here this way: ask an administrator of the organization for the reason',
  )
