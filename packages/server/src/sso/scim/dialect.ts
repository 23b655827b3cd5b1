/** The media type and the errors of SCIM (RFC 7644, 3.12). */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import type { Dialect } from '../../runtime/operation/dialect.js'
import { ERROR_SCHEMA } from './names.js'

export type ScimType =
  | 'invalidFilter'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** 400 with the error type of the protocol. @param field the wrong field, as the client spells it. */
export const scimRefusal = (
  scimType: ScimType,
  field: string,
  message: string,
  from: 'query' | 'body' = 'body',
): Refusal =>
  new Refusal('VALIDATION_ERROR', `${field}: ${message}`, {
    details: { issues: [{ path: `/${from}/${field}`, message, code: scimType }], scimType },
  })

/** 409: the directory can retry with another value. */
export const taken = (field: string, message: string): Refusal =>
  new Refusal('DUPLICATE_ENTRY', message, { details: { field, scimType: 'uniqueness' } })

function scimTypeOf({ code, details }: Refusal): string | null {
  if (typeof details?.['scimType'] === 'string') return details['scimType']
  if (code === 'DUPLICATE_ENTRY') return 'uniqueness'
  return code === 'VALIDATION_ERROR' ? 'invalidSyntax' : null
}

export const SCIM: Dialect = {
  name: 'Scim',
  media: 'application/scim+json',
  errorSchema: Type.Object({
    schemas: Type.Array(Type.String()),
    status: Type.String(),
    scimType: Type.Optional(Type.String()),
    detail: Type.String(),
    code: Type.String({ description: 'The code that the same error has elsewhere in the API' }),
    details: Type.Optional(Type.Object({}, { additionalProperties: true })),
    requestId: Type.String(),
  }),
  errorOf(refusal, requestId) {
    const scimType = scimTypeOf(refusal)
    return {
      schemas: [ERROR_SCHEMA],
      status: String(refusal.status),
      ...(scimType === null ? {} : { scimType }),
      detail: refusal.message,
      code: refusal.code,
      ...(refusal.details === undefined ? {} : { details: refusal.details }),
      requestId,
    }
  },
}
