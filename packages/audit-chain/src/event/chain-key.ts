/**
 * Which chain an event belongs to: the chain of the affected organization, otherwise of the actor's organization,
 * otherwise the chain for events without one. Ids are trimmed and lower-cased, so that all spellings of an organization
 * share one chain.
 */
export const NO_ORG_CHAIN = '__no-org__'

/** Returns the id of the chain in lower case; `NO_ORG_CHAIN` when the event names no organization. */
export function chainKey(event: { readonly orgId?: string | null; readonly affectedOrgId?: string | null }): string {
  return keyOf(event.affectedOrgId) || keyOf(event.orgId) || NO_ORG_CHAIN
}

const keyOf = (id: string | null | undefined): string => (id ?? '').trim().toLowerCase()
