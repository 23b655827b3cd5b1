/** What an answer warns of, beside what it did. */
import Type, { type Static } from 'typebox'
import { strictObject } from '../../runtime/operation/schema.js'
import type { ComplianceViolation } from '../../runtime/records/compliance.js'

export const Warnings = Type.Array(strictObject({ code: Type.String(), message: Type.String() }))
export type Warning = Static<typeof Warnings>[number]

export const ComplianceWarnings = Type.Array(
  Type.Unsafe<ComplianceViolation>({ type: 'object', description: 'A violation of a rule that does not block' }),
)
