/** Choices, completion and help from the data of the engine. */
import { computedFunctions, operators, projection } from '@plumbline/engine'
import { EDITABLE } from '../../data/rule-diff.js'
import type { CodeWord } from '../../ui/code-editor.js'

export type Target = 'plugin' | 'pipeline'

export const OPERATORS = operators.map(({ name, doc, takes, operand }) => ({
  name,
  doc,
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

export const codeWords = (target: Target): readonly CodeWord[] => [
  ...EDITABLE.map((label) => ({ label, detail: 'rule' })),
  ...OPERATORS.map(({ name, doc }) => ({ label: name, detail: 'operator', info: doc })),
  ...fieldsOf(target).map((label) => ({ label, detail: target })),
]
