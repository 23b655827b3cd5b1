/** The documentation's page of every shipped rule: what it asks, and why that is evidence for which control. */
import type { LibraryRule } from '../src/entry.js'
import { type FrameworkId, frameworks } from '../src/frameworks.js'
import { libraries, libraryPolicies, libraryRules } from '../src/index.js'

export const catalogue = (): string =>
  [
    '# The rules of the libraries',
    '',
    'Written by `npm run generate`. What the libraries are, and how to choose: [the guide](../guide/rule-libraries.md).',
    '',
    '## Starter',
    '',
    ...table(libraries.starter),
    '',
    '| Policy | Rules |',
    '|---|---|',
    ...libraryPolicies
      .filter(({ library }) => library === 'starter')
      .map(({ name, rules }) => `| ${name} | ${rules.map(code).join(', ')} |`),
    '',
    '## Standard',
    '',
    ...table(libraries.standard),
    '',
    '## Advanced',
    '',
    ...libraries.advanced.flatMap(section),
    '## By control',
    '',
    ...(Object.keys(frameworks) as FrameworkId[]).flatMap(byControl),
  ].join('\n')

const code = (text: string): string => `\`${text}\``

/** The first line of the description; the others are the reasons. */
const asks = ({ rule }: LibraryRule): string => rule.description.split('\n')[0] ?? ''

const table = (rules: readonly LibraryRule[]): string[] => [
  '| Rule | Severity | Asks |',
  '|---|---|---|',
  ...rules.map((entry) => `| ${code(entry.rule.name)} | ${entry.rule.severity} | ${cell(asks(entry))} |`),
]

const cell = (text: string): string => text.replaceAll('|', '\\|')

const section = (entry: LibraryRule): string[] => [
  `### ${entry.rule.name}`,
  '',
  `${entry.rule.target}, ${entry.rule.severity}. ${asks(entry)}`,
  '',
  ...entry.controls.map(({ framework, id, why }) => `- ${frameworks[framework].title} ${id}: ${why}`),
  '',
]

function byControl(name: FrameworkId): string[] {
  const { title, edition, controls } = frameworks[name]
  const rulesOf = (id: string): string =>
    libraryRules
      .filter((entry) => entry.controls.some((control) => control.framework === name && control.id === id))
      .map(({ rule }) => code(rule.name))
      .join(', ')
  return [
    `### ${title}, ${edition}`,
    '',
    '| Control | About | Rules |',
    '|---|---|---|',
    ...Object.entries(controls).map(([id, topic]) => `| ${id} | ${topic} | ${rulesOf(id)} |`),
    '',
  ]
}
