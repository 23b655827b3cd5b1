/**
 * The inputs of a template: typed values, checked when the template is written and when it is used. Source: spec
 * platform 9.
 */
import Type from 'typebox'
import type { FieldIssue } from '../../runtime/errors.js'
import { name } from '../../runtime/operation/name.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { InputValue, TemplateInput } from '../template-input.js'

const Value = Type.Unsafe<string | number | boolean>({
  anyOf: [{ type: 'string', maxLength: 4096 }, { type: 'number' }, { type: 'boolean' }],
})

export const TemplateInputSchema = strictObject({
  name: Type.String({
    pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$',
    'x-says': 'must begin with a letter or an underscore and have at most 64 letters, digits and underscores',
  }),
  label: Type.Optional(name(0, 120)),
  description: Type.Optional(Type.String({ maxLength: 500 })),
  type: Type.Unsafe<'string' | 'number' | 'boolean'>({ type: 'string', enum: ['string', 'number', 'boolean'] }),
  required: Type.Optional(Type.Boolean()),
  default: Type.Optional(Value),
  options: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { minItems: 1, maxItems: 50, uniqueItems: true })),
})

export const TemplateInputs = Type.Unsafe<TemplateInput[]>(Type.Array(TemplateInputSchema, { maxItems: 100 }))

export const InputValues = Type.Unsafe<Record<string, InputValue>>({
  type: 'object',
  additionalProperties: Value,
  maxProperties: 100,
  description: 'Values by the names of the inputs',
})

const BANNED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Issues with the inputs that a template declares. */
export function checkInputs(inputs: readonly TemplateInput[], at: string): FieldIssue[] {
  const seen = new Set<string>()
  return inputs.flatMap((input, n) => {
    const issues: FieldIssue[] = []
    const path = `${at}/${n}`
    if (BANNED.has(input.name))
      issues.push({ path: `${path}/name`, message: 'is not a valid name of an input', code: 'name' })
    if (seen.has(input.name)) {
      issues.push({ path: `${path}/name`, message: `is the name of two inputs: ${input.name}`, code: 'unique' })
    }
    seen.add(input.name)
    if (input.default !== undefined && typeof input.default !== input.type) {
      issues.push({ path: `${path}/default`, message: `is not a ${input.type}`, code: 'type' })
    } else if (input.default !== undefined && !isOption(input, input.default)) {
      issues.push({ path: `${path}/default`, message: 'is not one of the options', code: 'options' })
    }
    return issues
  })
}

const isOption = ({ options }: TemplateInput, value: InputValue): boolean =>
  options === undefined || options.includes(String(value))

/** The values of all inputs for one use of the template, and the issues with the values that were sent. */
export function readInputs(
  inputs: readonly TemplateInput[],
  sent: Readonly<Record<string, InputValue>>,
  at: string,
): { readonly values: Record<string, InputValue>; readonly issues: readonly FieldIssue[] } {
  const declared = new Set(inputs.map(({ name }) => name))
  const issues: FieldIssue[] = Object.keys(sent)
    .filter((name) => !declared.has(name))
    .map((name) => ({ path: `${at}/${name}`, message: 'is not an input of the template', code: 'unknown_input' }))
  const values: Record<string, InputValue> = {}
  for (const input of inputs) {
    const { name, required = false } = input
    const given = Object.hasOwn(sent, name) ? sent[name] : undefined
    const value = given === undefined ? input.default : coerced(input, given)
    if (value === null) issues.push({ path: `${at}/${name}`, message: `is not a ${input.type}`, code: 'type' })
    else if (value === undefined) {
      if (required) issues.push({ path: `${at}/${name}`, message: 'is required', code: 'required' })
    } else if (!isOption(input, value)) {
      const options = (input.options ?? []).join(', ')
      issues.push({ path: `${at}/${name}`, message: `must be one of ${options}`, code: 'options' })
    } else values[name] = value
  }
  return { values, issues }
}

/** The value converted to the input's type; null when that is not possible. */
function coerced({ type }: TemplateInput, value: InputValue): InputValue | null {
  if (type === 'string') return typeof value === 'string' ? value : String(value)
  if (type === 'number') {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    return typeof number === 'number' && Number.isFinite(number) ? number : null
  }
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === '1') return true
  return value === 'false' || value === '0' ? false : null
}
