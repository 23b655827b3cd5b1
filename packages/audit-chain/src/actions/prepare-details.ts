/**
 * Keeps the details of an event to the keys that its action may have (spec billing-audit 26), so that a record cannot
 * grow a field that nobody decided on. The dropped keys are named, never their values.
 */
import { ACTIONS } from './catalogue.js'

export interface PreparedDetails {
  readonly details: Readonly<Record<string, unknown>> | null
  /** Keys that the action's list does not have, account numbers in them included: scrub before showing them. */
  readonly dropped: readonly string[]
}

const UNREADABLE = '[UNREADABLE]'

/** The details of an unknown action are all dropped. Does not scrub: `scrub` comes after it. Never throws. */
export function prepareDetails(
  action: string,
  details: Readonly<Record<string, unknown>> | null | undefined,
): PreparedDetails {
  if (details == null) return { details: null, dropped: [] }
  const allowed = ACTIONS.get(action)?.details ?? []
  const kept: Record<string, unknown> = {}
  const dropped: string[] = []
  for (const key of keysOf(details)) {
    if (allowed.includes(key)) kept[key] = read(details, key)
    else dropped.push(key)
  }
  return { details: Object.keys(kept).length > 0 ? kept : null, dropped }
}

/** A getter or a proxy may throw; recording an event must not fail for it. The marks are those of `normalise`. */
function read(details: Readonly<Record<string, unknown>>, key: string): unknown {
  try {
    return details[key]
  } catch {
    return UNREADABLE
  }
}

function keysOf(details: Readonly<Record<string, unknown>>): readonly string[] {
  try {
    return Object.keys(details)
  } catch {
    return [UNREADABLE]
  }
}
