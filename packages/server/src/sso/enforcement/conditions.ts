/** The conditions before an organization can enforce single sign-on, so that its members are not locked out. */
import { and, eq, isNotNull } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { confirmedFactor } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { DAY_MS, toIsoOrNull } from '../../runtime/clock.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { isProven } from '../domain/proof.js'
import { providersOf } from '../provider/record.js'
import { ssoTables } from '../tables.js'

const Condition = strictObject({
  name: Type.String(),
  isMet: Type.Boolean(),
  fix: Type.String({ description: 'What to do when it is not met' }),
})

export const EnforcementRecord = strictObject({
  enforced: Type.Boolean(),
  since: nullable(Instant),
  conditions: Type.Array(Condition, {
    description: 'Checked when enforcement is switched on, for the person who switches it on',
  }),
})

/** @param userId the person who would turn enforcement on. */
export async function enforcementOf(
  db: Db,
  orgId: string,
  userId: string,
  nowMs: number,
): Promise<Static<typeof EnforcementRecord>> {
  const { organizations, users } = identityTables(db)
  const { idpDomains } = ssoTables(db)
  const [org] = await db.select().from(organizations).where(eq(organizations.id, orgId))
  const domains = await db
    .select()
    .from(idpDomains)
    .where(and(eq(idpDomains.orgId, orgId), isNotNull(idpDomains.heldDomain)))
  const providers = (await providersOf(db, orgId)).filter(({ enabled }) => enabled)
  const isTested = providers.some(
    ({ testedBy, testedRevision, revision, testedAtMs }) =>
      testedBy === userId && testedRevision === revision && testedAtMs !== null && nowMs - testedAtMs < DAY_MS,
  )
  const [owner] = await db
    .select({ hash: users.passwordHash })
    .from(users)
    .where(eq(users.id, org?.ownerId ?? ''))
  const hasGlass = owner?.hash != null && (await confirmedFactor(db, org?.ownerId ?? '')) !== null
  return {
    enforced: org?.ssoEnforcedAtMs != null,
    since: toIsoOrNull(org?.ssoEnforcedAtMs ?? null),
    conditions: [
      {
        name: 'domain',
        isMet: domains.some((row) => isProven(row, nowMs)),
        fix: 'prove a domain by its TXT record',
      },
      {
        name: 'test',
        isMet: isTested,
        fix: 'test the provider yourself with its current settings: a test is valid for 24 hours',
      },
      {
        name: 'break-glass',
        isMet: hasGlass,
        fix: 'the owner of the organization sets a password and a second factor: they are the way to sign in when the provider fails',
      },
    ],
  }
}
