/**
 * Removes keys from an event's details that its action may not have (spec billing-audit 26), so that no record gets an
 * undeclared field. The dropped keys are reported, never their values.
 */
import { ACTIONS } from './catalogue.js'

export interface PreparedDetails {
  readonly details: Readonly<Record<string, unknown>> | null
  /** Keys that the action does not list. They may contain account numbers: scrub them before you show them. */
  readonly dropped: readonly string[]
}

const UNREADABLE = '[UNREADABLE]'

/**
 * Keeps the listed details of an action. All details of an unknown action are dropped. It never throws. It does not
 * scrub: call `scrub` on the result.
 */
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

/**
 * Reads one member. A getter or a proxy may throw, and recording an event must not fail because of it. The placeholders
 * are those of `normalise`.
 */
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
