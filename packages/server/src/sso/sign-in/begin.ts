/** Shared by the operations that start a sign-in. */
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'

export const onOrg = Type.Object({ orgId: Type.String({ maxLength: 100 }) })
export const WhichProvider = Type.Optional(Uuid)
export const ReturnTo = Type.Optional(
  Type.String({
    maxLength: 500,
    pattern: '^/([!-.0-[\\]-~][!-~]*)?$',
    'x-says': 'must be a path of this server',
    description: 'Where the browser goes afterwards: a path of this server',
    examples: ['/reports'],
  }),
)
/** Fields of a program on the person's machine. */
export const OfProgram = {
  loopback: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^http://(127\\.0\\.0\\.1|\\[::1\\]):[0-9]{1,5}/[A-Za-z0-9/_-]{0,60}$',
      'x-says': 'must be an address of this machine, such as `http://127.0.0.1:49152/`',
      description: 'For a program: the address that it listens on',
    }),
  ),
  challenge: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      'x-says': 'must be the SHA-256 of a verifier, in base64url',
      description: 'For a program: SHA-256 of its verifier',
    }),
  ),
}
export interface Program {
  readonly loopback: string
  readonly challenge: string
}

/** Null when neither field is sent. @throws Refusal 400 when only one of them is. */
export function programOf(body: { readonly loopback?: string; readonly challenge?: string }): Program | null {
  const { loopback, challenge } = body
  if (loopback === undefined && challenge === undefined) return null
  if (loopback !== undefined && challenge !== undefined) return { loopback, challenge }
  throw invalidField(
    `/body/${loopback === undefined ? 'loopback' : 'challenge'}`,
    'is required for a program',
    'required',
  )
}

/** @throws Refusal 400 */
export function requiredProgram(body: { readonly loopback?: string; readonly challenge?: string }): Program {
  const program = programOf(body)
  if (program === null) throw invalidField('/body/loopback', 'and `challenge` are required for a program', 'required')
  return program
}

export const AuthorizeAnswer = strictObject({ url: Type.String({ description: 'Open it in the browser' }) })
export const ActionOfStepUp = Type.Optional(
  Type.String({
    pattern: '^[a-z][a-z0-9.-]{1,99}$',
    'x-says': 'must be an operationId',
    description: 'For a step-up: the one operation that it is for',
  }),
)
