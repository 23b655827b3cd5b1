/** One sentence for each field of a rule and of a condition. The JSON Schema and the documentation use them. */
import type { Condition, Rule } from '../types.js'

export const ruleFieldDocs: { readonly [key in keyof Required<Rule>]: string } = {
  id: 'Identity of the rule; the name when absent.',
  orgId: 'Organization that owns the rule.',
  name: 'Name, unique within the organization.',
  description: 'Why the rule exists and how to satisfy it.',
  target: 'Kind of entity the rule applies to.',
  severity: '`warning` never blocks; `error` and `critical` do. Default `error`.',
  priority: 'Higher is evaluated first. Default 0.',
  scope: '`org`: the owning organization only; `published`: anyone who subscribes. Default `org`.',
  field: 'Path of the attribute to check; computed functions are allowed.',
  operator: 'How the attribute is checked.',
  value: 'What the attribute is checked against.',
  conditions: 'Several checks and gates; replaces the single check when not empty.',
  conditionMode: '`all` conditions must hold, or `any` one. Default `all`.',
  tags: 'Words to find the rule by.',
  policyIds: 'Policies that list the rule.',
  policyId: 'Policy to list the rule in.',
  propagateToChildren: 'Apply the rule to nested teams of the organization. Default false.',
  isTemplate: 'A shared template: cloned, never evaluated. Default false.',
  isActive: 'An inactive rule is kept and not evaluated. Default true.',
  suppressNotification: 'Leave violations of this rule out of notifications. Default false.',
  effectiveFrom: 'First instant at which the rule is in force.',
  effectiveUntil: 'Last instant at which the rule is in force.',
  forkedFromRuleId: 'The rule this one was cloned from.',
  version: 'Counts the updates.',
  createdAt: 'When the rule was made.',
  createdBy: 'Who made the rule.',
  updatedAt: 'When the rule was last changed.',
  updatedBy: 'Who last changed the rule.',
  deletedAt: 'When the rule was deleted.',
  deletedBy: 'Who deleted the rule.',
  purgeAfter: 'When a deleted rule is removed for good.',
  source: 'Where an enforced rule comes from; set when rules are merged.',
}

/** Wrapped in a function so that a bundler can leave it out. */
export const conditionFieldDocs = (): { readonly [key in keyof Required<Condition>]: string } => ({
  field: ruleFieldDocs.field,
  operator: ruleFieldDocs.operator,
  value: ruleFieldDocs.value,
  dependsOnRule: 'Rule that must have passed: its id, or a name that is unique in the set.',
})
