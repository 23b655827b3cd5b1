/**
 * How organizations that enforce single sign-on treat a sign-in by password. The sign-in is refused only when every
 * membership of the person enforces it. An owner with a password and a second factor gets in anyway (break-glass), for
 * when the provider is broken. The server audits and e-mails each break-glass.
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
  /** Roots that enforce single sign-on, each once. */
  readonly closed: readonly string[]
  /** The roots in `closed` that the person owns. */
  readonly owned: readonly string[]
  /** Whether a membership does not enforce single sign-on, or the person has no membership. */
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

/** Break-glass needs both a password and a second factor. */
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
