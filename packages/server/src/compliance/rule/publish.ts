/** Who may publish rules and make templates, and which set tags a published rule may have (spec compliance 12, 19). */
import type { Rule } from '@plumbline/engine'
import { type FieldIssue, insufficient } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'

/** The sets of rules that a plan unlocks. */
export const SETS = ['standard', 'advanced'] as const
export type SetName = (typeof SETS)[number]
export const setTag = (set: SetName): string => `set:${set}`

/** @throws Refusal 403 outside the system organization, also for its administrators. */
export function checkPublishing(orgId: string, rule: { readonly scope?: string; readonly isTemplate?: boolean }): void {
  // guard: only-the-system-organization-publishes
  if (orgId === SYSTEM_ORG_ID) return
  if (rule.scope === 'published') {
    throw insufficient('system-admin', 'only the system organization publishes rules: leave `scope` out')
  }
  if (rule.isTemplate === true) {
    throw insufficient('system-admin', 'only the system organization has templates: leave `isTemplate` out')
  }
}

/** Refuses a published rule with an unknown set: no organization could have that set, so none could use the rule. */
export function setIssues(rule: Pick<Rule, 'scope' | 'tags'>): FieldIssue[] {
  if (rule.scope !== 'published') return []
  const known: readonly string[] = SETS.map(setTag)
  return (rule.tags ?? []).flatMap((tag, index) =>
    typeof tag === 'string' && tag.startsWith('set:') && !known.includes(tag)
      ? [{ path: `/body/tags/${index}`, message: `is not a set: ${known.join(' or ')}`, code: 'unknown_set' }]
      : [],
  )
}
