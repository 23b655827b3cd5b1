/**
 * The policies: which rules belong together under one name. The policies of a framework are derived from the controls
 * of the rules, so the two always agree.
 */
import { advancedRules } from './advanced/index.js'
import type { LibraryName, LibraryRule } from './entry.js'
import { type FrameworkId, frameworks } from './frameworks.js'
import { standardRules } from './standard.js'

export interface LibraryPolicy {
  readonly library: LibraryName
  readonly name: string
  readonly version: string
  readonly description: string
  readonly tags: readonly string[]
  /** Any organization can copy a template with its rules. The libraries that are sold are not templates. */
  readonly isTemplate: boolean
  /** Names of rules, in the order of the library. */
  readonly rules: readonly string[]
}

const VERSION = '1.0.0'

const starter = (name: string, description: string, rules: readonly string[]): LibraryPolicy => ({
  library: 'starter',
  name,
  version: VERSION,
  description,
  tags: ['starter'],
  isTemplate: true,
  rules,
})

export const starterPolicies: readonly LibraryPolicy[] = [
  starter('security-baseline', 'Credentials where they belong, fixed images, ordinary users.', [
    'starter-plugin-ordinary-user',
    'starter-plugin-no-credentials-in-env',
    'starter-pipeline-token-by-reference',
    'starter-plugin-fixed-image-tag',
  ]),
  starter('production-readiness', 'What a plugin should have before others build on it.', [
    'starter-plugin-semantic-version',
    'starter-plugin-fixed-image-tag',
    'starter-plugin-bounded-timeout',
    'starter-plugin-description',
  ]),
  starter('quality-standards', 'Versions that mean something and descriptions that help.', [
    'starter-plugin-semantic-version',
    'starter-plugin-description',
  ]),
  starter('naming-conventions', 'Names that fit into addresses, stacks and buckets.', [
    'starter-plugin-name-format',
    'starter-pipeline-project-format',
  ]),
  starter('cost-optimization', 'Time and compute that somebody has thought about.', [
    'starter-plugin-bounded-timeout',
    'starter-plugin-moderate-compute',
  ]),
]

const names = (rules: readonly LibraryRule[]): string[] => rules.map(({ rule }) => rule.name)

const standardPolicy: LibraryPolicy = {
  library: 'standard',
  name: 'best-practices',
  version: VERSION,
  description: 'What every plugin and pipeline should keep to, whatever it is for.',
  tags: ['set:standard'],
  isTemplate: false,
  rules: names(standardRules),
}

const frameworkPolicy = (framework: FrameworkId, name: string, description: string): LibraryPolicy => ({
  library: 'advanced',
  name,
  version: VERSION,
  description: `${description} Control ids are those of ${frameworks[framework].title}, ${frameworks[framework].edition}.`,
  tags: ['set:advanced', `framework:${framework}`],
  isTemplate: false,
  rules: names(advancedRules.filter(({ controls }) => controls.some((control) => control.framework === framework))),
})

export const libraryPolicies: readonly LibraryPolicy[] = [
  ...starterPolicies,
  standardPolicy,
  frameworkPolicy('soc2', 'soc-2', 'What a SOC 2 examination of security looks for in the way software is delivered.'),
  frameworkPolicy('pci-dss', 'pci-dss', 'What PCI DSS asks of software and pipelines near cardholder data.'),
  frameworkPolicy('cis', 'cis-controls', 'The CIS Controls that the specification of a build can give evidence for.'),
]
