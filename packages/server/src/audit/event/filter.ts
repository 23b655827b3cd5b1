/**
 * The filters of `GET /audit`, as conditions on sealed rows and as a test on unsealed ones. The action is a part of a
 * name: it is looked up in the closed vocabulary, so that the database compares whole names.
 */
import { ACTIONS } from '@plumbline/audit-chain'
import { and, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Begin, beginOf, End, endOf, periodOf } from '../../runtime/operation/period.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { concerns } from '../elsewhere.js'
import type { auditTables } from '../tables.js'
import type { Shown } from './view.js'

const Text = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))

export const filterFields = {
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'One event: `evt_` and a UUID' })),
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name, ignoring case' })),
  targetType: Text,
  targetId: Text,
  actorId: Text,
  orgId: Type.Optional(
    Type.String({ maxLength: 200, description: 'For system administrators; others see their own organization' }),
  ),
  affectedOrgId: Type.Optional(Type.String({ maxLength: 200, description: 'For system administrators' })),
  groupId: Text,
  impersonatorId: Text,
  requestId: Text,
  outcome: Type.Optional(Type.Enum(['success', 'failure'])),
  from: Type.Optional(Begin),
  to: Type.Optional(End),
}
const Filter = strictObject(filterFields)
export type Filter = Static<typeof Filter>

const EQUAL = [
  'id',
  'targetType',
  'targetId',
  'actorId',
  'orgId',
  'affectedOrgId',
  'groupId',
  'impersonatorId',
  'requestId',
  'outcome',
] as const

/**
 * The filter that applies: an administrator of an organization always gets that organization, whatever the query says.
 * @throws Refusal 400 for a period that ends before it begins.
 */
export function effective(filter: Filter, isSystemAdmin: boolean): Filter {
  periodOf(filter, 'from', 'to')
  if (isSystemAdmin) return filter
  const { orgId: _orgId, affectedOrgId: _affected, ...rest } = filter
  return rest
}

const actionsWith = (part: string): string[] =>
  [...ACTIONS.keys()].filter((name) => name.toLowerCase().includes(part.toLowerCase()))

export function conditionOf(t: ReturnType<typeof auditTables>['auditEvents'], filter: Filter): SQL | undefined {
  const names = filter.action === undefined ? null : actionsWith(filter.action)
  return and(
    ...EQUAL.flatMap((name) => (filter[name] === undefined ? [] : [eq(t[name], filter[name])])),
    // Implied by the condition before it; added because each of its halves has an index.
    filter.orgId === undefined ? undefined : concerns(t, filter.orgId),
    names === null ? undefined : names.length === 0 ? sql`1 = 0` : inArray(t.action, names),
    filter.from === undefined ? undefined : gte(t.createdAt, toIso(beginOf(filter.from))),
    filter.to === undefined ? undefined : lte(t.createdAt, toIso(endOf(filter.to))),
  )
}

export function fits(row: Shown, filter: Filter): boolean {
  return (
    EQUAL.every((name) => filter[name] === undefined || row[name] === filter[name]) &&
    (filter.action === undefined || row.action.toLowerCase().includes(filter.action.toLowerCase())) &&
    (filter.from === undefined || row.createdAt >= toIso(beginOf(filter.from))) &&
    (filter.to === undefined || row.createdAt <= toIso(endOf(filter.to)))
  )
}
