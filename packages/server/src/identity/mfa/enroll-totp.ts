/** Starts the enrolment of an authenticator app: creates a secret that has no effect until a code confirms it. */
import { generateSecret, generateURI } from 'otplib'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { ownAccount, withStepUp } from '../../runtime/operation/access.js'
import { unchanged } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { sessionOf } from '../authenticator.js'
import { lockoutKey, takeTurn } from '../credential/lockout.js'
import { credentialTables } from '../credential/tables.js'
import { identityOf } from '../services.js'
import { findFactor, totpPurpose } from './factor.js'

const SECRET_BYTES = 20

export const enrollTotp = command({
  name: 'identity.mfa.enroll-totp',
  summary: 'Start to enrol an authenticator app',
  http: { method: 'post', path: '/auth/mfa/totp/enroll', status: 201 },
  access: withStepUp(ownAccount()),
  tenant: noTenant,
  secretOutput: true,
  audit: none('nothing is enabled before the first code confirms it, which is recorded'),
  input: { body: strictObject({}) },
  output: strictObject({
    secret: Type.String({ description: 'Base32, for typing it in' }),
    uri: Type.String({ description: '`otpauth://…`, for a QR code' }),
  }),
  errors: ['CONFLICT'],
  async run(context) {
    const { tx, nowMs, actor } = context
    const { userId } = sessionOf(context.principal)
    const { totpFactors } = credentialTables(tx)
    // Otherwise a confirmation at the same time could put a secret in force that nobody has shown a code of.
    // guard: an-enrolment-waits-for-a-confirmation
    await takeTurn(tx, lockoutKey('mfa', userId), nowMs)
    if ((await findFactor(tx, userId))?.confirmedAtMs != null) {
      throw new Refusal('CONFLICT', 'an authenticator app is enrolled: remove it first')
    }
    const secret = generateSecret({ length: SECRET_BYTES })
    const sealedSecret = identityOf(context).box.seal(secret, totpPurpose(userId))
    const row = { sealedSecret, confirmedAtMs: null, lastTimeStep: null, createdAtMs: nowMs }
    await tx
      .insert(totpFactors)
      .values({ userId, ...row })
      .onConflictDoUpdate({ target: totpFactors.userId, set: row })
    return unchanged({ secret, uri: generateURI({ issuer: 'Plumbline', label: actor.email ?? userId, secret }) })
  },
})
