/** Choices, completion and help from the data of the engine. */
import { computedFunctions, operators, projection } from '@plumbline/engine'
import { EDITABLE } from '../../data/rule-diff.js'
import type { CodeWord } from '../../ui/code-editor.js'

export type Target = 'plugin' | 'pipeline'

export const OPERATORS = operators.map(({ name, takes, operand }) => ({
  name,
  takes,
  takesValue: operand !== null,
}))

export const operatorOf = (name: string) => OPERATORS.find((each) => each.name === name)

/** Suggested first parts of field paths. Authors type the deeper parts. */
export const fieldsOf = (target: Target): readonly string[] => [
  ...projection.keys[target],
  ...projection.aliases[target].map(({ alias }) => alias),
  ...computedFunctions.map(({ name }) => `$${name}()`),
]

/** @param docOf what an operator does, in the language of the reader. */
export const codeWords = (target: Target, docOf: (operator: string) => string): readonly CodeWord[] => [
  ...EDITABLE.map((label) => ({ label, detail: 'rule' })),
  ...OPERATORS.map(({ name }) => ({ label: name, detail: 'operator', info: docOf(name) })),
  ...fieldsOf(target).map((label) => ({ label, detail: target })),
]
