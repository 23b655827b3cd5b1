/** Exemptions in every state: pending for each of two reviewers, approved, rejected, revoked and expired. */
import { DAY_MS, toIso } from '../../runtime/clock.js'
import { type Hands, idIn, type Person } from './hands.js'
import type { Ids } from './records.js'
import type { RuleName } from './rules.js'

interface Request {
  /** Day of the history. */
  readonly day: number
  readonly by: Person
  readonly rule: RuleName
  readonly entity: string
  readonly reason: string
  /** The day on which the exemption ends. */
  readonly until?: number
  readonly decision?: { readonly day: number; readonly by: Person; readonly rejectedFor?: string }
  readonly revoked?: { readonly day: number; readonly by: Person }
}

const REQUESTS: readonly Request[] = [
  {
    day: 4,
    by: 'demo-member',
    rule: 'Pipelines deploy from main',
    entity: 'mail-gateway',
    reason: 'The move from `develop` ends this month.',
    until: 18,
    decision: { day: 5, by: 'demo-admin' },
  },
  {
    day: 6,
    by: 'demo-admin',
    rule: 'Plugins run on small or medium machines',
    entity: 'image-scan',
    reason: 'Scans of the largest images need 16 GB of memory.',
    until: 41,
    decision: { day: 6, by: 'demo-owner' },
  },
  {
    day: 8,
    by: 'demo-owner',
    rule: 'Pipelines name a team',
    entity: 'invoices',
    reason: 'The team is being founded.',
    decision: { day: 9, by: 'demo-admin' },
    revoked: { day: 20, by: 'demo-admin' },
  },
  {
    day: 13,
    by: 'demo-member',
    rule: 'Pipelines name a team',
    entity: 'push',
    reason: 'We do not know who maintains it.',
    decision: {
      day: 14,
      by: 'demo-owner',
      rejectedFor: 'Then it is the first thing to find out: ask the mobile team.',
    },
  },
  {
    day: 27,
    by: 'demo-member',
    rule: 'Pipelines deploy from main',
    entity: 'payments',
    reason: 'The release branch is audited by the payment provider until the end of the quarter.',
    until: 60,
  },
  {
    day: 28,
    by: 'demo-admin',
    rule: 'Pipelines name a team',
    entity: 'push',
    reason: 'The mobile team takes it over in two weeks.',
    until: 44,
  },
  {
    day: 28,
    by: 'demo-owner',
    rule: 'Pipelines name a team',
    entity: 'invoices',
    reason: 'The team of the invoices starts next month.',
    until: 50,
  },
]

/** The id of each request. */
export type Asked = Map<Request, string>

/** The events of one day: requests, then decisions, then revocations. */
export async function exemptionsOf(
  { send }: Hands,
  { day, startMs, records, rules, asked }: { day: number; startMs: number; records: Ids; rules: Ids; asked: Asked },
): Promise<void> {
  for (const request of REQUESTS) {
    const { by, rule, entity, reason, until, decision, revoked } = request
    if (request.day === day) {
      const made = await send(by, 'POST', '/compliance/exemptions', {
        ruleId: rules[rule],
        entityType: rule.startsWith('Plugins') ? 'plugin' : 'pipeline',
        entityId: records[entity],
        reason,
        ...(until === undefined ? {} : { expiresAt: toIso(startMs + until * DAY_MS) }),
      })
      asked.set(request, idIn(made, 'exemption'))
    }
    const path = `/compliance/exemptions/${asked.get(request)}`
    if (decision?.day === day) {
      const { rejectedFor } = decision
      await send(
        decision.by,
        'PUT',
        `${path}/review`,
        rejectedFor === undefined ? { status: 'approved' } : { status: 'rejected', rejectionReason: rejectedFor },
      )
    }
    if (revoked?.day === day) await send(revoked.by, 'DELETE', path)
  }
}
