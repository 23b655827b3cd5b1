/** Gives a step-up that the browser completed to the program that started it. */
import { createHash } from 'node:crypto'
import Type from 'typebox'
import { sessionOf } from '../../identity/index.js'
import { signedIn } from '../../runtime/operation/access.js'
import { unchanged } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { takeSocialFlow } from '../social/flow.js'
import { socialRefused } from '../social/refuse.js'
import { signStepUp } from './sign.js'

export const exchangeStepUp = command({
  name: 'sso.step-up.exchange',
  summary: 'Take up a confirmation of your identity in the program that began it, with the verifier that it kept',
  description:
    'Begin with `POST /auth/sso/{orgId}/attach` and `kind: step-up`, or with `POST /auth/oauth/{provider}/step-up`, each with `loopback` and `challenge`.',
  http: { method: 'post', path: '/auth/step-up/exchange' },
  access: signedIn(),
  tenant: noTenant,
  rateLimit: 'step-up',
  secretOutput: true,
  audit: none('a step-up changes nothing: the action that uses it is recorded'),
  input: {
    body: strictObject({
      grant: Type.String({ minLength: 43, maxLength: 43 }),
      verifier: Type.String({ minLength: 43, maxLength: 128 }),
    }),
  },
  output: strictObject({ stepUpToken: Type.String(), expiresAt: Instant }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'SSO_REFUSED'],
  async run(context, { body }) {
    const { tx, nowMs, principal } = context
    const { userId, sessionId } = sessionOf(principal)
    const bound = createHash('sha256').update(body.verifier).digest('base64url')
    const flow = await takeSocialFlow(tx, { state: body.grant, bound, nowMs, of: 'confirmation' })
    // guard: a-confirmation-is-for-the-session-that-began-it
    if (flow === null || flow.sessionId !== sessionId || flow.userId !== userId) throw socialRefused()
    return unchanged(await signStepUp(context, { userId, sessionId, action: flow.action }))
  },
})
