/** Calls of operations that `exercise` leaves to their suites, for what is judged of each operation. */
import { credentialTables } from '../../src/identity/credential/tables.js'
import { ssoTables } from '../../src/sso/tables.js'
import { billed, bought, type Call } from './calls.js'
import type { Data, Hands } from './hands.js'

const SUPER = { as: 'super admin' } as const
const DIRECTORY = { as: 'directory' } as const
const REPORTER = { as: 'service' } as const

async function made(hands: Hands, operation: string, body: object, key: string, more: object = {}): Promise<string> {
  const data: Data = await hands.prepare(operation, { body, ...more })
  return (data[key] ?? data).id
}

const PROMOTION = {
  name: 'exercised',
  trigger: { type: 'subscription_created' },
  value: 1_000,
  unit: 'dollar',
  kind: 'onetime',
  budgetCents: 100_000,
  isActive: true,
}
const alert = (hands: Hands) =>
  made(hands, 'billing.alert.create', { kind: 'next_invoice_over', thresholdCents: 1000 }, 'alert')
const clock = (hands: Hands) => made(hands, 'billing.clock.create', { name: 'exercised' }, 'clock')
const discount = (hands: Hands) =>
  made(
    hands,
    'billing.discount.create',
    { code: '20:percent:recurring:exercised', alias: 'EXERCISED' },
    'discount',
    SUPER,
  )
const promotion = (hands: Hands) => made(hands, 'billing.promotion.create', PROMOTION, 'promotion', SUPER)

const BILLED: Readonly<Record<string, Call>> = {
  'billing.alert.create': ({ call }) => call({ body: { kind: 'next_invoice_over', thresholdCents: 1000 } }),
  'billing.alert.update': async (hands) =>
    hands.call({ path: { id: await alert(hands) }, body: { thresholdCents: 2000 } }),
  'billing.alert.delete': async (hands) => hands.call({ path: { id: await alert(hands) } }),
  'billing.clock.create': ({ call }) => call({ body: { name: 'exercised' } }),
  'billing.clock.delete': async (hands) => hands.call({ path: { id: await clock(hands) } }),
  async 'billing.addon.set'(hands) {
    const { id } = await bought(hands)
    return hands.call({ path: { id }, body: { bundleId: 'pipeline_pack', quantity: 2 } })
  },
  async 'billing.addon.remove'(hands) {
    const { id } = await bought(hands)
    await hands.prepare('billing.addon.set', { path: { id }, body: { bundleId: 'pipeline_pack', quantity: 2 } })
    return hands.call({ path: { id, bundleId: 'pipeline_pack' } })
  },
  async 'billing.subscription.delete'(hands) {
    await bought(hands)
    return hands.call({ ...SUPER, path: { orgId: hands.org.id } })
  },
  'billing.discount.create': ({ call }) =>
    call({ ...SUPER, body: { code: '20:percent:recurring:exercised', alias: 'EXERCISED' } }),
  'billing.discount.update': async (hands) =>
    hands.call({ ...SUPER, path: { id: await discount(hands) }, body: { isActive: false } }),
  'billing.discount.revoke': async (hands) => hands.call({ ...SUPER, path: { id: await discount(hands) } }),
  async 'billing.discount.apply'(hands) {
    await bought(hands)
    return hands.call({ ...SUPER, path: { id: await discount(hands) }, body: { targetOrgId: hands.org.id } })
  },
  async 'billing.discount.redeem'(hands) {
    const { id } = await bought(hands)
    await discount(hands)
    return hands.call({ path: { id }, body: { code: 'EXERCISED' } })
  },
  async 'billing.discount.remove'(hands) {
    const { id } = await bought(hands)
    const discountId = await discount(hands)
    await hands.prepare('billing.discount.apply', {
      ...SUPER,
      path: { id: discountId },
      body: { targetOrgId: hands.org.id },
    })
    return hands.call({ path: { id, discountId } })
  },
  'billing.promotion.backfill': ({ call }) => call({ ...SUPER, body: {} }),
  async 'billing.entitlement.resync'(hands) {
    await bought(hands)
    return hands.call({ ...SUPER, path: { orgId: hands.org.id } })
  },
  'billing.clock.advance': async (hands) =>
    hands.call({ path: { id: await clock(hands) }, body: { to: '2026-12-24T00:00:00.000Z' } }),
  'billing.promotion.create': ({ call }) => call({ ...SUPER, body: PROMOTION }),
  'billing.promotion.update': async (hands) =>
    hands.call({ ...SUPER, path: { id: await promotion(hands) }, body: { isActive: false } }),
  'billing.promotion.revoke': async (hands) => hands.call({ ...SUPER, path: { id: await promotion(hands) } }),
  async 'billing.promotion.grant'(hands) {
    await bought(hands)
    return hands.call({ ...SUPER, path: { id: await promotion(hands) }, body: { targetOrgId: hands.org.id } })
  },
  async 'billing.promotion.activate'(hands) {
    await bought(hands)
    return hands.call({ ...SUPER, path: { id: await promotion(hands) }, body: {} })
  },
}

/** A deployment of the first pipeline. */
async function deployed({ app, org, prepare }: Hands): Promise<string> {
  const [pipelineId] = org.things.pipeline
  await prepare('pipeline.registry.register', { body: { pipelineId, pipelineName: 'exercised' } })
  const at = (ms: number) => new Date(app.runtime.clock.now() - ms).toISOString()
  const event = {
    pipelineId,
    executionId: 'exercised',
    eventSource: 'generic',
    eventType: 'STAGE',
    stageName: 'Deploy',
    status: 'SUCCEEDED',
    environment: 'production',
    startedAt: at(7_200_000),
    completedAt: at(3_600_000),
  }
  await prepare('reporting.event.ingest', { ...REPORTER, body: { events: [event] } })
  return event.executionId
}
const incidentBody = ({ app }: Hands) => ({
  incidentId: 'exercised',
  environment: 'production',
  openedAt: new Date(app.runtime.clock.now() - 1_800_000).toISOString(),
})
async function linked(hands: Hands): Promise<{ id: string; executionId: string }> {
  const executionId = await deployed(hands)
  const body = incidentBody(hands)
  await hands.prepare('reporting.incident.report', { ...REPORTER, body })
  return { id: body.incidentId, executionId }
}
const source = (hands: Hands) =>
  made(hands, 'reporting.source.create', { name: 'exercised', format: 'github' }, 'source')

const PROVIDER = { issuer: 'https://login.example.com', clientId: 'exercised', name: 'exercised' }
const provider = (hands: Hands) => made(hands, 'sso.provider.create', PROVIDER, 'provider')
const domain = (hands: Hands) => made(hands, 'sso.domain.create', { domain: 'exercised.example.com' }, 'domain')

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const userBody = { schemas: [USER], userName: 'exercised@plumbline.test', externalId: 'exercised' }
const groupBody = { schemas: [GROUP], displayName: 'exercised', members: [] }
const patch = (op: object) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [op] })
const scim = async ({ prepare }: Hands, operation: string, body: object): Promise<string> =>
  (await prepare(operation, { ...DIRECTORY, body })).id
/** A domain that is proven: to prove one takes a record in the DNS. */
async function proven({ app, org }: Hands): Promise<void> {
  const { store, ids, clock } = app.runtime
  const [id, nowMs, name] = [ids.next(), clock.now(), 'plumbline.test']
  await store.system.write((tx) =>
    tx.insert(ssoTables(tx).idpDomains).values({
      ...{ id, orgId: org.id, domain: name, heldDomain: name, token: id },
      ...{ verifiedAtMs: nowMs, checkedAtMs: nowMs, createdAtMs: nowMs },
    }),
  )
}
async function user(hands: Hands): Promise<string> {
  await proven(hands)
  return scim(hands, 'sso.scim-user.create', userBody)
}
const group = (hands: Hands) => scim(hands, 'sso.scim-group.create', groupBody)

export const MORE_CALLS: Readonly<Record<string, Call>> = {
  ...Object.fromEntries(Object.entries(BILLED).map(([name, call]) => [name, billed(call)])),
  'identity.organization.update-settings': ({ call }) => call({ body: { memberWriteScope: 'org' } }),
  'identity.organization.transfer-owner': ({ call, org }) => call({ body: { newOwnerId: org.things.user[1] } }),
  async 'identity.super-admin.revoke'({ prepare, call, org }) {
    const path = { id: org.things.user[1] }
    await prepare('identity.super-admin.grant', { ...SUPER, path })
    return call({ ...SUPER, path })
  },
  async 'identity.member.activate'({ prepare, call, org }) {
    const path = { userId: org.things.user[2] }
    await prepare('identity.member.deactivate', { path })
    return call({ path })
  },
  'compliance.policy.update': ({ call, org }) =>
    call({ path: { id: org.things.policy[0] }, body: { description: 'exercised' } }),
  'compliance.rule.update': ({ call, org }) =>
    call({ path: { id: org.things.rule[0] }, body: { description: 'exercised' } }),
  async 'reporting.outcome.mark'(hands) {
    return hands.call({ path: { executionId: await deployed(hands) }, body: { outcome: 'failed' } })
  },
  async 'reporting.outcome.delete'(hands) {
    const path = { executionId: await deployed(hands), outcome: 'failed' }
    await hands.prepare('reporting.outcome.mark', { path, body: { outcome: 'failed' } })
    return hands.call({ path })
  },
  'reporting.incident.report': (hands) => hands.call({ ...REPORTER, body: incidentBody(hands) }),
  async 'reporting.link.set'(hands) {
    const { id, executionId } = await linked(hands)
    return hands.call({ path: { id }, body: { executionId } })
  },
  async 'reporting.link.delete'(hands) {
    const { id, executionId } = await linked(hands)
    await hands.prepare('reporting.link.set', { path: { id }, body: { executionId } })
    return hands.call({ path: { id } })
  },
  'reporting.source.update': async (hands) =>
    hands.call({ path: { id: await source(hands) }, body: { name: 'renamed' } }),
  'reporting.source.rotate': async (hands) => hands.call({ path: { id: await source(hands) }, body: {} }),
  'reporting.source.delete': async (hands) => hands.call({ path: { id: await source(hands) } }),
  'sso.default-provider.set': ({ call }) => call({ body: PROVIDER }),
  'sso.provider.create': ({ call }) => call({ body: PROVIDER }),
  'sso.provider.set': async (hands) =>
    hands.call({ path: { idpId: await provider(hands) }, body: { ...PROVIDER, clientId: 'other' } }),
  'sso.provider.update': async (hands) =>
    hands.call({ path: { idpId: await provider(hands) }, body: { clientId: 'other' } }),
  'sso.provider.delete': async (hands) => hands.call({ path: { idpId: await provider(hands) } }),
  'sso.group-role.update': async (hands) =>
    hands.call({
      path: { idpId: await provider(hands) },
      body: { groups: [{ name: 'exercised', roleIds: [hands.org.things.role[0]] }] },
    }),
  'sso.default-provider.update': ({ call }) => call({ body: { clientId: 'other' } }),
  'sso.default-provider.delete': ({ call }) => call(),
  async 'sso.social-link.delete'({ app, ownerId, call }) {
    const { store, ids, clock } = app.runtime
    const [id, nowMs] = [ids.next(), clock.now()]
    const link = {
      id,
      userId: ownerId,
      provider: 'github',
      issuer: 'https://github.com',
      subject: id,
      createdAtMs: nowMs,
      lastUsedAtMs: nowMs,
    }
    await store.system.write((tx) => tx.insert(credentialTables(tx).socialLinks).values({ ...link, email: null }))
    return call({ path: { provider: 'github' } })
  },
  'sso.domain.create': ({ call }) => call({ body: { domain: 'exercised.example.com' } }),
  'sso.domain.delete': async (hands) => hands.call({ path: { domainId: await domain(hands) } }),
  async 'sso.scim-token.delete'(hands) {
    const tokenId = await made(hands, 'sso.scim-token.create', {}, 'scimToken')
    return hands.call({ path: { tokenId } })
  },
  async 'sso.scim-user.create'(hands) {
    await proven(hands)
    return hands.call({ ...DIRECTORY, body: userBody })
  },
  'sso.scim-user.set': async (hands) =>
    hands.call({ ...DIRECTORY, path: { id: await user(hands) }, body: { ...userBody, active: false } }),
  'sso.scim-user.update': async (hands) =>
    hands.call({
      ...DIRECTORY,
      path: { id: await user(hands) },
      body: patch({ op: 'replace', path: 'active', value: false }),
    }),
  'sso.scim-user.delete': async (hands) => hands.call({ ...DIRECTORY, path: { id: await user(hands) } }),
  'sso.scim-group.create': ({ call }) => call({ ...DIRECTORY, body: groupBody }),
  'sso.scim-group.set': async (hands) =>
    hands.call({ ...DIRECTORY, path: { id: await group(hands) }, body: { ...groupBody, displayName: 'renamed' } }),
  'sso.scim-group.update': async (hands) =>
    hands.call({
      ...DIRECTORY,
      path: { id: await group(hands) },
      body: patch({ op: 'replace', path: 'displayName', value: 'renamed' }),
    }),
  'sso.scim-group.delete': async (hands) => hands.call({ ...DIRECTORY, path: { id: await group(hands) } }),
}
