/** The differences between two versions of a rule, in the fields that a person can change. */

/** In the order of the editor. */
export const EDITABLE = [
  'name',
  'description',
  'target',
  'severity',
  'mode',
  'isActive',
  'field',
  'operator',
  'value',
  'conditionMode',
  'conditions',
  'tags',
  'priority',
  'propagateToChildren',
  'suppressNotification',
  'effectiveFrom',
  'effectiveUntil',
] as const

export interface Difference {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

type State = Readonly<Record<string, unknown>>

export function changesBetween(before: State, after: State): readonly Difference[] {
  return EDITABLE.filter(
    (name) => name in before && JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  ).map((name) => ({ name, before: before[name], after: after[name] }))
}
