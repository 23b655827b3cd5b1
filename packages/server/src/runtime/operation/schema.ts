/**
 * Schemas that many operations share, and the validator that reports all problems of a value at once.
 *
 * INVARIANT: no pattern, format or comparison of items sees a text or a list that is larger than its schema allows, so that a
 * wrong request costs no more than reading it did.
 */
import { nearestWord } from '@plumbline/engine/words'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import Type, { type TSchema } from 'typebox'
import type { FieldIssue } from '../errors.js'
import { UUID } from '../ids.js'
import { addNormalForm } from './name.js'
import { oversized } from './sizes.js'

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
/** One of these texts. With its type, which `uniqueItems` needs: values without one are compared each with each. */
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

/** @param allErrors ends at the first error unless it is set. */
function validators(allErrors: boolean): (schema: TSchema) => ValidateFunction {
  // Verbose: an error knows the schema that it comes from, whose words it is told in.
  const ajv = formats.default(
    new Ajv2020({ allErrors, strict: true, strictTypes: false, ownProperties: true, verbose: true }),
  )
  addNormalForm(ajv)
  // A leap second is an instant by the standard, but none that a clock of ours can tell.
  ajv.addFormat('date-time', { type: 'string', validate: isInstant })
  ajv.addFormat(DAY_OR_INSTANT, { type: 'string', validate: (text: string) => isDay(text) || isInstant(text) })
  // For documentation, for reading the query and forms, and for what issues say; they say nothing about validity.
  ajv.addVocabulary(['x-clamp', 'x-json', 'x-says', ITEMS])
  const compiled = new WeakMap<object, ValidateFunction>()
  // Compiled on first use: four hundred schemas at start would cost a second.
  return (schema) => {
    let validate = compiled.get(schema)
    if (validate === undefined) {
      validate = ajv.compile(schema)
      compiled.set(schema, validate)
    }
    return validate
  }
}

const formatted = (name: 'date' | 'date-time', text: string): boolean => {
  const { validate } = formats.default.get(name) as { readonly validate: (text: string) => boolean }
  return validate(text)
}
const isInstant = (text: string): boolean => formatted('date-time', text) && !Number.isNaN(Date.parse(text))
const isDay = (text: string): boolean => formatted('date', text)

/** Of one value it looks at its size before its pattern or its items, and so it ends before they cost anything. */
const untilFirst = validators(false)
const throughout = validators(true)

const ISSUES_MAX = 100
/** Of a body with a hundred thousand mistakes no more are put together: the time of that grows with their square. */
const ERRORS_MAX = 4 * ISSUES_MAX
/** Of a body with more values its first mistake is told: each of them could be one, and each mistake is an object. */
const VALUES_MAX = 5000
/** A shorter text is near everything that is as short, and a longer one is compared with no choice. */
const NEAR_MIN = 3
const NEAR_MAX = 100
const NOTHING: readonly FieldIssue[] = []

/**
 * What is wrong with the value; empty when nothing is. Paths begin with `at`. Where something is too large, that alone is
 * told: the rest is looked at once the sizes are right.
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

/** Ends at the first value too many. */
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
 * A value that may be null is wrong in one way and not in three: what its other form says, and that null would do. Where
 * there are several other forms, and all of them refuse the value itself, one issue names them together. Where forms are told
 * apart by the value of one property, what that form says is told, or which values there are.
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

/** What is wrong with an object whose forms each fix the same property; null for other choices. */
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

/** A value of another type is told as that, and not as one that is out of its choices too. */
const typeFirst = (errors: ErrorObject[]): ErrorObject[] => {
  const types = errors.filter(({ keyword }) => keyword === 'type')
  return errors.filter((error) => !types.some((type) => type !== error && type.instancePath === error.instancePath))
}

const orNull = (error: ErrorObject, choice: ErrorObject): ErrorObject =>
  error.keyword === 'type' && error.instancePath === choice.instancePath
    ? { ...error, message: `${error.message ?? 'is invalid'} or null` }
    : error

function issueOf(error: ErrorObject, at: string): FieldIssue {
  const { keyword, instancePath, params } = error
  const property = params['missingProperty'] ?? params['additionalProperty']
  const path = `${at}${instancePath}${property === undefined ? '' : `/${escapePointer(String(property))}`}`
  const { 'x-says': says } = (error.parentSchema ?? {}) as { 'x-says'?: string }
  // A map says what its keys may be.
  if (keyword === 'additionalProperties')
    return { path, message: says ?? 'is not a known field', code: 'unknown_field' }
  if (keyword === 'pattern' && params['pattern'] === UUID.source) {
    return { path, message: 'must be a UUID in lower case', code: 'uuid' }
  }
  if ((keyword === 'pattern' || keyword === 'const' || keyword === 'format') && says !== undefined)
    return { path, message: says, code: keyword }
  if (keyword === 'required') return { path, message: 'is required', code: 'required' }
  if (keyword === 'enum') {
    const values = params['allowedValues'] as unknown[]
    return { path, message: `must be one of ${values.join(', ')}${didYouMean(error.data, values)}`, code: 'enum' }
  }
  return { path, message: error.message ?? 'is invalid', code: keyword }
}

/** The value that was meant, where the given one is a slip of the pen. */
function didYouMean(given: unknown, values: readonly unknown[]): string {
  if (typeof given !== 'string' || given.length < NEAR_MIN || given.length > NEAR_MAX) return ''
  const near = nearestWord(
    given,
    values.filter((value) => typeof value === 'string'),
  )
  return near === null ? '' : `; did you mean ${near}`
}

const escapePointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')
