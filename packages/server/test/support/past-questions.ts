/**
 * What a person can read about the rules in force, now or at an instant: the list, verdicts on entities, the impact of
 * some rules.
 */
import type { ComplianceApp } from './compliance.js'
import type { Answer, SignedIn } from './sign-in.js'

export const ENTITIES = ['99999999-9999-7999-8999-999999999991', '99999999-9999-7999-8999-999999999992'] as const
export const ATTRIBUTES = [
  { version: 'latest', a: 1 },
  { version: '1.0.0', b: 2 },
] as const

/** Number of questions per person, before the impacts. */
export const QUESTIONS_OF_EACH = 1 + 2 * ATTRIBUTES.length

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

/** @param ruleIds rules whose impact is requested last, so that the n-th question is always the same. */
export async function askOfRules(
  kit: ComplianceApp,
  people: readonly SignedIn[],
  ruleIds: readonly string[],
  asOf?: string,
): Promise<{ status: number; data: Answer['data']; body: Answer['body'] }[]> {
  const then = asOf === undefined ? {} : { asOf }
  const given: Answer[] = []
  for (const as of people) {
    given.push(await kit.call(as, 'GET', `/subscriptions/enforced${asOf === undefined ? '' : `?asOf=${asOf}`}`))
    for (const attributes of ATTRIBUTES) {
      const entityId = ENTITIES[0]
      given.push(await kit.call(as, 'POST', '/validate/plugin/dry-run', { attributes, ...then }))
      given.push(await kit.call(as, 'POST', '/validate/plugin/dry-run', { attributes, entityId, ...then }))
    }
  }
  for (const ruleId of ruleIds) {
    for (const as of people) {
      given.push(await kit.call(as, 'POST', '/subscriptions/preview/impact', { ruleId, ...then }))
    }
  }
  return given.map(({ status, data, body }) => ({
    status,
    data: data?.rules === undefined ? data : { ...data, rules: [...data.rules].sort(byId) },
    body,
  }))
}
