/** An input that a template declares. */

export type InputValue = string | number | boolean

export interface TemplateInput {
  readonly name: string
  readonly label?: string
  readonly description?: string
  readonly type: 'string' | 'number' | 'boolean'
  readonly required?: boolean
  readonly default?: InputValue
  readonly options?: readonly string[]
}
