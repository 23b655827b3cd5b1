/**
 * Which chain an event belongs to: the organization acted on, else the actor's, else one for events of none.
 * Ids are trimmed and lower-cased here, so that two spellings of one organization share one chain.
 */
export const NO_ORG_CHAIN = '__no-org__'

/** The id of the chain, in lower case; that of no organization where the event names none. */
export function chainKey(event: { readonly orgId?: string | null; readonly affectedOrgId?: string | null }): string {
  return keyOf(event.affectedOrgId) || keyOf(event.orgId) || NO_ORG_CHAIN
}

const keyOf = (id: string | null | undefined): string => (id ?? '').trim().toLowerCase()
