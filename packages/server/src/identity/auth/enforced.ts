/**
 * What organizations that enforce their sign-on mean for a sign-in by password. It is refused only where every membership
 * enforces; and the owner, who has a password and a second factor, gets in where the provider is broken. That is told.
 */
import { and, eq, isNull } from 'drizzle-orm'
import { sendMail } from '../../runtime/mail/send.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { breakGlassMail } from '../mail/sign-on.js'
import { mailRecipients } from '../member/mail-recipients.js'
import type { UserRow } from '../new-user.js'
import { proveSession } from '../session/open.js'
import { identityTables } from '../tables.js'

export interface Doors {
  /** Roots that enforce, each once. */
  readonly closed: readonly string[]
  /** Of these, the ones that the person owns. */
  readonly owned: readonly string[]
  /** Whether there is a membership that does not enforce, or none at all. */
  readonly isAnyOpen: boolean
}

export async function doorsOf(db: Db, userId: string): Promise<Doors> {
  const { memberships, organizations } = identityTables(db)
  const rows = await db
    .select({ rootId: organizations.rootOrgId })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.orgId))
    .where(and(eq(memberships.userId, userId), eq(memberships.isActive, true), isNull(organizations.deletedAtMs)))
  const ids = [...new Set(rows.map(({ rootId }) => rootId))]
  const closed: string[] = []
  const owned: string[] = []
  for (const id of ids) {
    const [root] = await db.select().from(organizations).where(eq(organizations.id, id))
    if (root === undefined || root.ssoEnforcedAtMs === null) continue
    closed.push(id)
    if (root.ownerId === userId) owned.push(id)
  }
  return { closed, owned, isAnyOpen: closed.length < ids.length || ids.length === 0 }
}

/** A password and a second factor, both: what the owner of an organization breaks the glass with. */
// guard: the-glass-is-broken-with-two-factors
export const breaksGlass = (methods: readonly string[]): boolean => methods.includes('pwd') && methods.includes('otp')

export async function breakGlass(
  context: WriteContext<'auth.break-glass'>,
  { user, sessionId, roots }: { readonly user: UserRow; readonly sessionId: string; readonly roots: readonly string[] },
): Promise<void> {
  const { tx, nowMs } = context
  const { organizations } = identityTables(tx)
  for (const orgId of roots) {
    await proveSession(tx, { sessionId, orgId, by: 'break-glass', nowMs })
    await context.audit('auth.break-glass', {
      actor: { id: user.id, email: user.email, role: 'owner', impersonatorId: null },
      orgId,
      targetType: 'session',
      targetId: sessionId,
    })
    const [org] = await tx.select({ name: organizations.name }).from(organizations).where(eq(organizations.id, orgId))
    for (const to of await mailRecipients(tx, orgId, null)) {
      await sendMail(context, to, breakGlassMail, { username: user.username, organization: org?.name ?? '' })
    }
  }
}
