/**
 * `docs/reference/operators.md`, made from the catalogues. A test fails when the page is stale;
 * `npm run generate` writes it.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { computedFunctions } from '../src/catalogue/computed-functions.js'
import { type OperatorEntry, operators } from '../src/catalogue/operators.js'
import type { JsonValue } from '../src/types.js'

export const operatorPagePath = fileURLToPath(new URL('../../../docs/reference/operators.md', import.meta.url))

const ABSENT = '*absent*'

const code = (value: JsonValue): string => `\`${JSON.stringify(value).replaceAll('|', '\\|')}\``

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const operatorSection = ({ name, doc, takes, operand, examples }: OperatorEntry): string => {
  const attribute = (actual: JsonValue | undefined): string => (actual === undefined ? ABSENT : code(actual))
  const rows = examples.map(({ actual, value, holds }) => [
    attribute(actual),
    ...(operand === null ? [] : [value === undefined ? '' : code(value)]),
    holds ? 'yes' : 'no',
  ])
  const head = ['attribute', ...(operand === null ? [] : ['value']), 'satisfied']
  return `### ${name}\n\n${doc}\n\nRule value: ${takes}.\n\n${table(head, rows)}`
}

export const operatorPage = (): string => {
  const overview = operators.map(({ name, doc }) => [`[\`${name}\`](#${name.toLowerCase()})`, doc])
  const functions = computedFunctions.map(({ name, doc, examples }) => {
    const rows = examples.map(({ argument, result }) => [
      argument === undefined ? ABSENT : code(argument),
      code(result),
    ])
    return `### ${name.slice(1)}\n\n\`${name}(field)\`: ${doc}\n\n${table(['field', 'result'], rows)}`
  })
  return `<!-- Made by packages/engine/scripts/operator-page.ts; do not edit. -->

# Operators and computed functions

${operators.length} operators and ${computedFunctions.length} computed functions. The tables show what an attribute must be to satisfy a rule; the tests execute every row.

Three rules hold for all of them:

- **Absent is null.** A missing attribute and \`null\` are the same. Absent fails every operator but the negative ones: \`neq\`, \`notContains\`,
  \`notIn\`, \`notExists\`.
- **A type mismatch fails both ways.** Where an operator cannot be applied to the value found, neither it nor its negation is
  satisfied, so wrapping a value in a list or an object evades no rule.
- **A malformed rule value never passes.** \`in\` without a list, \`gt\` without a number, a pattern that is refused: such a rule is
  misconfigured, and a misconfigured rule is a violation, whatever the attribute is.

\`text\` of a scalar is the text itself, \`true\` or \`false\`, or the number in shortest decimal form. A number is a finite number or a text
that, trimmed, is a decimal literal: \`12\`, \`-1.5\`, \`.5\`, \`1e3\`.

${table(['operator', 'satisfied when'], overview)}

## Operators

${operators.map(operatorSection).join('\n\n')}

## Computed functions

Usable wherever a field path is, and in one another: \`$count($keys(env))\`. Up to three nest.

${functions.join('\n\n')}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(operatorPagePath, operatorPage())
