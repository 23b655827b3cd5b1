/**
 * Schemas that many operations share, and the validator that reports all problems of a value at once.
 *
 * INVARIANT: no pattern, format or comparison of items sees a text or a list that is larger than its schema allows. So
 * an invalid request costs no more than reading it.
 */
import { nearestWord } from '@plumbline/engine/words'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import Type, { type TSchema } from 'typebox'
import type { FieldIssue } from '../errors.js'
import { UUID } from '../ids.js'
import { addNormalForm } from './name.js'
import { countText, oversized } from './sizes.js'

/** Strict: an unknown key in a body is an error. */
export const strictObject = <P extends Record<string, TSchema>>(properties: P, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

export const Uuid = Type.String({ pattern: UUID.source, description: 'A UUID' })
export const Instant = Type.String({
  format: 'date-time',
  maxLength: 40,
  description: 'ISO 8601, UTC, milliseconds',
})
/** The format of an instant or a day: see `period.ts`. */
export const DAY_OR_INSTANT = 'day-or-instant'
/**
 * One of these texts. The schema has a type, which `uniqueItems` needs: without a type, every value is compared with
 * every other.
 */
export const choice = <const V extends string>(values: readonly V[], options: Record<string, unknown> = {}) =>
  Type.Unsafe<V>({ type: 'string', enum: [...values], ...options })
export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export const Pagination = Type.Object({
  total: Type.Integer({ minimum: 0 }),
  limit: Type.Integer({ minimum: 1 }),
  offset: Type.Integer({ minimum: 0 }),
  hasMore: Type.Boolean(),
  nextCursor: Type.Optional(Type.String()),
})

/** The items of a list that are validated one by one (`records/bulk.ts`): only documentation reads it. */
export const ITEMS = 'x-items'

/** @param allErrors When false, validation ends at the first error. */
function validators(allErrors: boolean): (schema: TSchema) => ValidateFunction {
  // Verbose, because the message of an error depends on the schema it comes from.
  const ajv = formats.default(
    new Ajv2020({ allErrors, strict: true, strictTypes: false, ownProperties: true, verbose: true }),
  )
  addNormalForm(ajv)
  // A leap second is an instant by the standard, but the server's clock cannot represent it.
  ajv.addFormat('date-time', { type: 'string', validate: isInstant })
  ajv.addFormat(DAY_OR_INSTANT, { type: 'string', validate: (text: string) => isDay(text) || isInstant(text) })
  // For documentation, for reading the query and forms, and for the text of issues. They do not affect validity.
  ajv.addVocabulary(['x-clamp', 'x-json', 'x-repeated', 'x-says', ITEMS])
  const compiled = new WeakMap<object, ValidateFunction>()
  // Compiled on first use: compiling four hundred schemas at the start would take a second.
  return (schema) => {
    const known = compiled.get(schema)
    if (known !== undefined) return known
    const made = ajv.compile(schema)
    compiled.set(schema, made)
    return made
  }
}

const formatted = (name: 'date' | 'date-time', text: string): boolean => {
  const { validate } = formats.default.get(name) as { readonly validate: (text: string) => boolean }
  return validate(text)
}
export const isInstant = (text: string): boolean => formatted('date-time', text) && !Number.isNaN(Date.parse(text))
const isDay = (text: string): boolean => formatted('date', text)

/** For one value it checks the size before the pattern or the items, so it ends before they cost anything. */
const untilFirst = validators(false)
const throughout = validators(true)

const ISSUES_MAX = 100
/** At most this many errors of a body are combined, because the time grows with their square. */
const ERRORS_MAX = 4 * ISSUES_MAX
/**
 * Of a body with more values only the first error is reported: each value could be an error, and each error is an
 * object.
 */
const VALUES_MAX = 5000
/** A shorter text would be near every other short text, so it gets no suggestion. */
const NEAR_MIN = 3
const NEAR_MAX = 100
const NOTHING: readonly FieldIssue[] = []

/**
 * Returns what is wrong with the value; empty when it is valid. Paths begin with `at`. When something is too large,
 * only that is reported: the rest is checked once the sizes are right.
 */
export function problems(schema: TSchema, value: unknown, at: string): readonly FieldIssue[] {
  const first = untilFirst(schema)
  if (first(value)) return NOTHING
  const tooLarge = oversized(schema, value, at)
  // guard: sizes-come-before-patterns
  if (tooLarge.length > 0) return tooLarge
  // guard: a-body-of-many-values-is-not-looked-through
  const validate = hasMoreThan(value, VALUES_MAX) ? first : throughout(schema)
  if (validate(value)) return NOTHING
  // guard: few-of-many-mistakes-are-put-together
  return withoutNulls((validate.errors ?? []).slice(0, ERRORS_MAX))
    .slice(0, ISSUES_MAX)
    .map((error) => issueOf(error, at))
}

/** Stops at the first value above the limit. */
function hasMoreThan(value: unknown, most: number): boolean {
  const left: unknown[] = [value]
  let count = 0
  for (let each = left.pop(); count <= most && each !== undefined; each = left.pop()) {
    count += 1
    if (Array.isArray(each) && each.length > most) return true
    if (typeof each === 'object' && each !== null) {
      for (const key in each) {
        if (count + left.push((each as Readonly<Record<string, unknown>>)[key]) > most) return true
      }
    }
  }
  return count > most
}

/**
 * Simplifies the errors of nullable values and of unions. A nullable value has one error and not three: the error of
 * its other form, with a note that null is allowed. When there are several other forms and all refuse the value, one
 * issue names them together. When one property decides the form, the errors of that form are reported, or the allowed
 * values of the property.
 */
function withoutNulls(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let left: readonly ErrorObject[] = errors
  for (const choice of errors.filter(({ keyword }) => keyword === 'anyOf')) {
    const forms = choice.schema as readonly Form[]
    const mayBeNull = forms.some(({ type }) => type === 'null')
    const within = left.filter(({ schemaPath }) => schemaPath.startsWith(`${choice.schemaPath}/`))
    const isOf = (error: ErrorObject, form: number) => error.schemaPath.startsWith(`${choice.schemaPath}/${form}/`)
    const others = forms.flatMap(({ type }, form) => (type === 'null' ? [] : [form]))
    const [only] = others
    const isScalar = within.every(
      ({ instancePath, keyword }) => instancePath === choice.instancePath && (keyword === 'type' || keyword === 'enum'),
    )
    const tagged = byTag(choice, within, (error, form) => isOf(error, form))
    if (tagged !== null) {
      left = left.flatMap((error) => (error === choice ? tagged : within.includes(error) ? [] : [error]))
    } else if (mayBeNull && others.length === 1 && only !== undefined) {
      const told = typeFirst(within.filter((error) => isOf(error, only)).map((error) => orNull(error, choice)))
      left = left.flatMap((error) => (error === choice ? told : within.includes(error) ? [] : [error]))
    } else if (isScalar && within.length > 0) {
      const said = new Set(
        within.map((error) => issueOf({ ...error, data: null }, '').message.replace(/^must be /, '')),
      )
      const one = { ...choice, message: `must be ${[...said].join(', or ')}` }
      left = left.flatMap((error) => (error === choice ? [one] : within.includes(error) ? [] : [error]))
    }
  }
  return left
}

interface Form {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, { readonly const?: unknown }>>
}

/** The errors of an object whose forms each fix one property; null for other unions. */
function byTag(
  { schema, schemaPath, instancePath, ...choice }: ErrorObject,
  within: readonly ErrorObject[],
  isOf: (error: ErrorObject, form: number) => boolean,
): readonly ErrorObject[] | null {
  const forms = schema as readonly Form[]
  const tag = Object.keys(forms[0]?.properties ?? {}).find((name) =>
    forms.every(({ properties }) => properties?.[name]?.const !== undefined),
  )
  const isObject = !within.some((error) => error.instancePath === instancePath && error.keyword === 'type')
  if (tag === undefined || !isObject) return null
  const missing = within.find(
    ({ keyword, instancePath: at, params }) =>
      keyword === 'required' && at === instancePath && params['missingProperty'] === tag,
  )
  if (missing !== undefined) return [missing]
  const at = `${instancePath}/${escapePointer(tag)}`
  const fits = forms.findIndex(
    (_, form) => !within.some((error) => isOf(error, form) && error.keyword === 'const' && error.instancePath === at),
  )
  if (fits >= 0) return within.filter((error) => isOf(error, fits))
  const allowedValues = forms.map(({ properties }) => properties?.[tag]?.const)
  return [{ ...choice, schemaPath, instancePath: at, keyword: 'enum', params: { allowedValues } }]
}

/** A value of another type is reported as that, and not also as a value outside of its choices. */
const typeFirst = (errors: ErrorObject[]): ErrorObject[] => {
  const types = errors.filter(({ keyword }) => keyword === 'type')
  return errors.filter((error) => !types.some((type) => type !== error && type.instancePath === error.instancePath))
}

const orNull = (error: ErrorObject, choice: ErrorObject): ErrorObject =>
  error.keyword === 'type' && error.instancePath === choice.instancePath
    ? { ...error, message: `${error.message ?? 'is invalid'} or null` }
    : error

const COUNTS: Readonly<Record<string, readonly ['least' | 'most', 'item' | 'character' | 'field']>> = {
  minItems: ['least', 'item'],
  maxItems: ['most', 'item'],
  minLength: ['least', 'character'],
  maxLength: ['most', 'character'],
  minProperties: ['least', 'field'],
  maxProperties: ['most', 'field'],
}

function issueOf(error: ErrorObject, at: string): FieldIssue {
  const { keyword, instancePath, params } = error
  const property = params['missingProperty'] ?? params['additionalProperty']
  const path = `${at}${instancePath}${property === undefined ? '' : `/${escapePointer(String(property))}`}`
  const { 'x-says': says, properties = {} } = (error.parentSchema ?? {}) as { 'x-says'?: string; properties?: object }
  if (keyword === 'additionalProperties') {
    // A map says which keys are allowed.
    const message = says ?? `is not a known field${didYouMean(property, Object.keys(properties))}`
    return { path, message, code: 'unknown_field' }
  }
  if (keyword === 'pattern' && params['pattern'] === UUID.source) {
    return { path, message: 'must be a UUID in lower case', code: 'uuid' }
  }
  if ((keyword === 'pattern' || keyword === 'const' || keyword === 'format') && says !== undefined)
    return { path, message: says, code: keyword }
  if (keyword === 'format' && params['format'] === 'date-time') {
    return { path, message: 'must be an instant such as 2026-11-23T09:00:00Z', code: keyword }
  }
  if (keyword === 'required') return { path, message: 'is required', code: 'required' }
  if (keyword === 'enum') {
    const values = params['allowedValues'] as unknown[]
    return { path, message: `must be one of ${values.join(', ')}${didYouMean(error.data, values)}`, code: 'enum' }
  }
  const count = COUNTS[keyword]
  if (count !== undefined)
    return { path, message: countText(count[0], Number(params['limit']), count[1]), code: keyword }
  if (keyword === 'uniqueItems') {
    const [first, second] = [Number(params['i']), Number(params['j'])].sort((a, b) => a - b)
    return { path, message: `must not repeat an item: those at ${first} and ${second} are the same`, code: keyword }
  }
  return { path, message: error.message ?? 'is invalid', code: keyword }
}

/** The value that was probably meant, when the given one looks like a typing error. */
function didYouMean(given: unknown, values: readonly unknown[]): string {
  if (typeof given !== 'string' || given.length < NEAR_MIN || given.length > NEAR_MAX) return ''
  const near = nearestWord(
    given,
    values.filter((value) => typeof value === 'string'),
  )
  return near === null ? '' : `; did you mean ${near}`
}

const escapePointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')
