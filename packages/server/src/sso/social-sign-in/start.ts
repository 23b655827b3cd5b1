/** Continues, in a browser, a sign-in by a social account that a program started. */
import { and, eq, gt, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { tokenHash } from '../../identity/index.js'
import { Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { unchanged } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { UNBOUND } from '../flow/begin.js'
import { bindBrowser } from '../flow/cookie.js'
import { AuthorizeAnswer } from '../sign-in/begin.js'
import { socialProvider } from '../social/catalogue.js'
import { socialUrl } from '../social/client.js'
import { secretsOf } from '../social/flow.js'
import { ssoTables } from '../tables.js'

export const startSocialSignIn = command({
  name: 'sso.social-sign-in.start',
  summary: 'Continue, in a browser, a sign-in or a confirmation with a social account that a program started',
  description: 'Valid once: for the first browser that opens it.',
  http: { method: 'post', path: '/auth/oauth/start' },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  secretOutput: true,
  audit: none('it only starts a sign-in'),
  input: { body: strictObject({ ticket: Type.String({ minLength: 43, maxLength: 43 }) }) },
  output: AuthorizeAnswer,
  errors: ['NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
  async prepare({ runtime, read, nowMs }, { body }) {
    const [flow] = await read(async (db) => {
      const { socialFlows: t } = ssoTables(db)
      const isOpen = and(
        eq(t.stateHash, tokenHash(body.ticket)),
        inArray(t.kind, ['program', 'step-up']),
        eq(t.boundHash, UNBOUND),
        gt(t.expiresAtMs, nowMs),
      )
      return db.select().from(t).where(isOpen)
    })
    if (flow === undefined) throw gone()
    const secrets = { state: body.ticket, ...secretsOf(runtime, flow) }
    return socialUrl(runtime, socialProvider(runtime.settings, flow.provider), secrets, flow.kind === 'step-up')
  },
  async run(context, { body }, url) {
    const { socialFlows: t } = ssoTables(context.tx)
    const browser = bindBrowser(context.request)
    const rows = await context.tx
      .update(t)
      .set({ boundHash: browser.hash })
      .where(
        and(
          eq(t.stateHash, tokenHash(body.ticket)),
          // guard: the-first-browser-takes-a-social-sign-in-up
          eq(t.boundHash, UNBOUND),
        ),
      )
      .returning({ kind: t.kind })
    if (rows.length === 0) throw gone()
    return unchanged({ url }, { headers: browser.headers })
  },
})

const gone = (): Refusal =>
  new Refusal('NOT_FOUND', 'this sign-in has ended, or another browser opened it: start again')
