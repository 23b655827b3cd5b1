/** Creates a token for the directory of an identity provider. It is shown once; only its hash is stored. */
import { and, eq, lte } from 'drizzle-orm'
import Type from 'typebox'
import { newScimToken, provisioningTables, type ScimTokenRow, sessionOf, tokenHash } from '../../identity/index.js'
import { Refusal } from '../../runtime/errors.js'
import { permission, withFeature, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { name } from '../../runtime/operation/name.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { onOrganization, organizationPath } from '../paths.js'
import { findProvider } from '../provider/record.js'
import { LIVE_MAX, ScimToken, scimTokenRecord } from './record.js'

const DAY_S = 86_400

export const createScimToken = command({
  name: 'sso.scim-token.create',
  summary: 'Make a SCIM token',
  description:
    'For the directory of one identity provider. An organization has at most two: the one in use, and one to replace it.',
  http: { method: 'post', ...organizationPath('/scim-tokens'), status: 201 },
  access: withStepUp(withFeature('sso', permission('org:idp'))),
  tenant: fromPath('id'),
  idempotent: true,
  secretOutput: true,
  audit: ['scim.token.create'],
  input: {
    path: onOrganization,
    body: strictObject({
      name: Type.Optional(name(1, 60)),
      idpId: Type.Optional(Uuid),
      expiresIn: Type.Optional(
        Type.Integer({ minimum: 3600, maximum: 730 * DAY_S, description: 'Seconds; a year when left out' }),
      ),
    }),
  },
  output: strictObject({ token: Type.String({ description: 'Shown only now' }), scimToken: ScimToken }),
  errors: ['CONFLICT', 'NOT_FOUND'],
  async run(context, { body }) {
    const { tx, runtime, nowMs } = context
    const orgId = tenantId(context)
    const provider = await findProvider(tx, orgId, body.idpId ?? null)
    await lockRow(tx, 'organizations', orgId)
    const { scimTokens: t } = provisioningTables(tx)
    await tx.delete(t).where(and(eq(t.orgId, orgId), lte(t.expiresAtMs, nowMs)))
    // guard: two-tokens-for-directories
    if ((await tx.$count(t, eq(t.orgId, orgId))) >= LIVE_MAX) {
      throw new Refusal(
        'CONFLICT',
        `the organization has ${LIVE_MAX} SCIM tokens: delete the one that is no longer used`,
      )
    }
    const token = newScimToken()
    const row: ScimTokenRow = {
      id: runtime.ids.next(),
      orgId,
      providerId: provider.id,
      name: body.name ?? provider.name,
      tokenHash: tokenHash(token),
      hint: token.slice(-4),
      createdBy: sessionOf(context.principal).userId,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + (body.expiresIn ?? 365 * DAY_S) * 1000,
      lastUsedAtMs: null,
    }
    await tx.insert(t).values(row)
    await context.audit('scim.token.create', {
      targetType: 'scim-token',
      targetId: row.id,
      details: { id: row.id, name: row.name, idpId: provider.id },
    })
    return changed({ token, scimToken: scimTokenRecord(row) })
  },
})
