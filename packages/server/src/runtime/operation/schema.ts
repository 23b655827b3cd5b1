/** Schemas that many operations share, and the validator that reports all problems of a value at once. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import Type, { type TSchema } from 'typebox'
import type { FieldIssue } from '../errors.js'
import { UUID } from '../ids.js'

/** Strict: an unknown key in a body is an error. */
export const strictObject = <P extends Record<string, TSchema>>(properties: P, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

export const Uuid = Type.String({ pattern: UUID.source, description: 'A UUID' })
export const Instant = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds' })
export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export const Pagination = Type.Object({
  total: Type.Integer({ minimum: 0 }),
  limit: Type.Integer({ minimum: 1 }),
  offset: Type.Integer({ minimum: 0 }),
  hasMore: Type.Boolean(),
  nextCursor: Type.Optional(Type.String()),
})

// Compiled on first use: four hundred schemas at start would cost a second (rulings, Measured ground).
const strict = formats.default(new Ajv2020({ allErrors: true, strict: true, strictTypes: false, ownProperties: true }))
// For documentation and for reading the query; they say nothing about validity.
strict.addVocabulary(['x-clamp'])
const compiled = new WeakMap<object, ValidateFunction>()

function validator(schema: TSchema): ValidateFunction {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    validate = strict.compile(schema)
    compiled.set(schema, validate)
  }
  return validate
}

const ISSUES_MAX = 100
const NOTHING: readonly FieldIssue[] = []

/** What is wrong with the value; empty when nothing is. Paths begin with `at`. */
export function problems(schema: TSchema, value: unknown, at: string): readonly FieldIssue[] {
  const validate = validator(schema)
  if (validate(value)) return NOTHING
  return (validate.errors ?? []).slice(0, ISSUES_MAX).map((error) => issueOf(error, at))
}

function issueOf(error: ErrorObject, at: string): FieldIssue {
  const { keyword, instancePath, params } = error
  const property = params['missingProperty'] ?? params['additionalProperty']
  const path = `${at}${instancePath}${property === undefined ? '' : `/${escapePointer(String(property))}`}`
  if (keyword === 'additionalProperties') return { path, message: 'is not a known field', code: 'unknown_field' }
  if (keyword === 'pattern' && params['pattern'] === UUID.source) {
    return { path, message: 'must be a UUID in lower case', code: 'uuid' }
  }
  if (keyword === 'required') return { path, message: 'is required', code: 'required' }
  if (keyword === 'enum') {
    return { path, message: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`, code: 'enum' }
  }
  return { path, message: error.message ?? 'is invalid', code: keyword }
}

const escapePointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')
