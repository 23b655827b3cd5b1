/** The contract of a template: each value that its body refers to is an input, or is in its own `vars`. */
import { resolveTokens, type TokenIssue, tokenPaths } from '@plumbline/engine'
import { invalid, Refusal } from '../../runtime/errors.js'
import { checkProps } from '../props/check.js'
import type { Props } from '../props/schema.js'
import type { InputValue, TemplateInput } from '../template-input.js'
import { tokenRefusal } from '../token/refuse.js'
import { checkInputs } from './inputs.js'

/**
 * @throws Refusal 400: `VALIDATION_ERROR` for the body and the inputs, `TEMPLATE_CONTRACT_VIOLATION` for a value that
 * is neither an input nor in `vars`, another code of the tokens, or `TEMPLATE_VALIDATION_FAILED` for several issues.
 */
export function requireContract(props: Props, inputs: readonly TemplateInput[], at = '/body'): void {
  const issues = [...checkInputs(inputs, `${at}/inputs`), ...checkProps(props, null, `${at}/props`)]
  if (issues.length > 0) throw invalid(issues)
  const found = contractIssues(props, inputs, `${at}/props`)
  if (found.length > 0) throw tokenRefusal(found)
}

function contractIssues(props: Props, inputs: readonly TemplateInput[], at: string): TokenIssue[] {
  const vars = props.vars ?? {}
  const declared = new Set([...inputs.map(({ name }) => name), ...Object.keys(vars)])
  const broken = tokenPaths(props, at).flatMap(({ path, at: where }): TokenIssue[] => {
    const [root, name] = path[0] === 'pipeline' ? path.slice(1) : path
    if (root !== 'vars' || name === undefined || declared.has(name)) return []
    return [
      {
        path: where,
        code: 'TEMPLATE_CONTRACT_VIOLATION',
        token: `{{ ${path.join('.')} }}`,
        message: `vars.${name} is not an input of the template and not in its vars: declare it`,
      },
    ]
  })
  if (broken.length > 0) return broken
  const metadata = props.metadata ?? {}
  const resolve = (values: Record<string, InputValue>) =>
    resolveTokens(props, { metadata, vars: { ...vars, ...values } }, at).issues
  // Checked twice: with all inputs, and with only those that always have a value.
  const seen = new Set<string>()
  return [...resolve(samples(inputs, () => true)), ...resolve(samples(inputs, isAlwaysGiven))].filter(
    ({ path, code }) => {
      const key = `${path} ${code}`
      return seen.has(key) ? false : seen.add(key)
    },
  )
}

const isAlwaysGiven = (input: TemplateInput): boolean => input.required === true || input.default !== undefined

const SAMPLE = { string: 'value', number: 1, boolean: true } as const

const samples = (inputs: readonly TemplateInput[], of: (input: TemplateInput) => boolean): Record<string, InputValue> =>
  Object.fromEntries(
    inputs.filter(of).map((input) => [input.name, input.default ?? input.options?.[0] ?? SAMPLE[input.type]]),
  )

/** The body with the input values added to its `vars`. */
export const instantiated = (props: Props, values: Readonly<Record<string, InputValue>>): Props => ({
  ...props,
  vars: { ...props.vars, ...values },
})

export const nameTaken = (): Refusal =>
  new Refusal('DUPLICATE_ENTRY', 'a template of this name exists', { details: { field: 'name' } })
