/** Operations that need a state which nothing has by chance, each with the call that is answered with success. */
import { generateSync } from 'otplib'
import { SYSTEM_ORG_ID } from '../../src/runtime/ids.js'
import { pluginArchive } from '../requests/files.js'
import { PASSWORD } from '../world/model.js'
import type { Data, Hands } from './hands.js'

/** @returns null when the operation was answered with success, else what it was answered with. */
export type Call = (hands: Hands) => Promise<string | null>

const NEW_PASSWORD = 'Another-Horse-9'
const NEWCOMER = { username: 'newcomer', email: 'newcomer@plumbline.test', password: PASSWORD }
const ANONYMOUS = { as: 'anonymous' } as const
const SUPER = { as: 'super admin' } as const

const emailOf = ({ org }: Hands): string => org.things.email[0] ?? ''
const login = (hands: Hands) =>
  hands.prepare('identity.auth.login', { ...ANONYMOUS, body: { identifier: emailOf(hands), password: PASSWORD } })
/** Somebody new, with an organization of their own. */
async function register({ prepare }: Hands): Promise<Data> {
  await prepare('identity.auth.register', { ...ANONYMOUS, body: NEWCOMER })
  const body = { identifier: NEWCOMER.username, password: PASSWORD }
  return prepare('identity.auth.login', { ...ANONYMOUS, body })
}

async function invited({ prepare, mailed }: Hands): Promise<string> {
  await prepare('identity.invitation.send', { body: { email: NEWCOMER.email } })
  return mailed(NEWCOMER.email, '/invite/accept')
}

/** Gives the owner another address. @returns the token in what the former one is sent. */
async function formerAddress(hands: Hands): Promise<string> {
  const { prepare, mailed } = hands
  await prepare('identity.me.update', { body: { email: NEWCOMER.email }, stepUp: true })
  await prepare('identity.auth.verify-email', { ...ANONYMOUS, body: { token: await mailed(NEWCOMER.email) } })
  return mailed(emailOf(hands))
}

/** @returns the code that the authenticator shows now. */
async function enrolled({ app, prepare }: Hands): Promise<() => string> {
  const { secret } = await prepare('identity.mfa.enroll-totp', { body: {} })
  return () => generateSync({ secret, epoch: Math.floor(app.runtime.clock.now() / 1000) })
}

const propsOf = (name: string) => ({
  synth: { source: { type: 'github', options: { repo: `acme/${name}` } }, plugin: { name: 'build' } },
})
const pipelineBody = (project: string) => ({ project, organization: 'exercise', props: propsOf(project) })
const ruleBody = (name: string) => ({ name, target: 'plugin', field: 'description', operator: 'notEmpty' })

/** A rule of the system organization that everybody may subscribe to. */
async function published({ prepare }: Hands): Promise<string> {
  const body = { ...ruleBody('exercised by subscribers'), scope: 'published' }
  const { rule } = await prepare('compliance.rule.create', { ...SUPER, orgId: SYSTEM_ORG_ID, body })
  return rule.id
}
async function subscribed(hands: Hands): Promise<string> {
  const ruleId = await published(hands)
  await hands.prepare('compliance.subscription.create', { body: { ruleId } })
  return ruleId
}

/** The call on a record that was deleted. */
const afterDeletion =
  (remove: string, idOf: (hands: Hands) => string | undefined): Call =>
  async ({ prepare, call, ...hands }) => {
    const path = { id: idOf({ prepare, call, ...hands }) }
    await prepare(remove, { path })
    return call({ path })
  }
const deletedRule = afterDeletion('compliance.rule.delete', ({ org }) => org.things.rule[0])
const deletedPolicy = afterDeletion('compliance.policy.delete', ({ org }) => org.things.policy[0])
const deletedMessage = afterDeletion('message.message.delete', ({ org }) => org.things.message[0])
const deletedPipeline = afterDeletion('pipeline.pipeline.delete', ({ org }) => org.things.pipeline[0])
const deletedTemplate = afterDeletion('pipeline.template.delete', ({ org }) => org.things.template[0])
const deletedPlugin: Call = async ({ prepare, call, org }) => {
  const path = { id: org.things.plugin[1] }
  // Pipelines name it.
  await prepare('plugin.plugin.delete', { path, query: { force: true } })
  return call({ path })
}

/** A bulk operation is answered with 200 whatever becomes of its items: here each of them is done. */
const bulk =
  (body: (hands: Hands) => object, query: Readonly<Record<string, unknown>> = {}): Call =>
  async (hands) => {
    const { status, text } = await hands.answer({ body: body(hands), query })
    const data: Data = JSON.parse(text).data
    return status < 300 && data.failed === 0 ? null : `is answered with ${status} ${text.slice(0, 300)}`
  }

/** The world is made with billing off, where its operations answer 503: it is on for the call. */
export const billed =
  (call: Call): Call =>
  async (hands) => {
    const { settings } = hands.app.runtime
    const on = (isOn: boolean) =>
      Object.assign(settings, {
        BILLING_ENABLED: isOn,
        BILLING_BUNDLES_ENABLED: isOn,
        BILLING_DISCOUNTS_ENABLED: isOn,
        BILLING_PROMOTIONS_ENABLED: isOn,
        BILLING_TEST_CLOCKS: isOn,
      })
    on(true)
    try {
      return await call(hands)
    } finally {
      on(false)
    }
  }
export const bought = async ({ prepare }: Hands): Promise<{ readonly id: string }> =>
  (await prepare('billing.subscription.create', { body: { planId: 'enterprise' } })).subscription

const BILLING_CALLS: Readonly<Record<string, Call>> = {
  'billing.plan.list': ({ call }) => call(),
  'billing.plan.get': ({ call }) => call({ path: { planId: 'pro' } }),
  'billing.subscription.get': ({ call }) => call(),
  'billing.subscription.create': ({ call }) => call({ body: { planId: 'enterprise' } }),
  'billing.subscription.preview': ({ call }) => call({ body: { planId: 'team' } }),
  async 'billing.subscription.update'(hands) {
    const { id } = await bought(hands)
    return hands.call({ path: { id }, body: { interval: 'annual' } })
  },
  async 'billing.subscription.cancel'(hands) {
    const { id } = await bought(hands)
    return hands.call({ path: { id }, body: {} })
  },
  async 'billing.subscription.reactivate'(hands) {
    const { id } = await bought(hands)
    return hands.call({ path: { id }, body: {} })
  },
  async 'billing.subscription.drop-change'(hands) {
    const { id } = await bought(hands)
    await hands.prepare('billing.subscription.update', { path: { id }, body: { interval: 'annual' } })
    return hands.call({ path: { id } })
  },
  'billing.invoice.get-next': ({ call }) => call(),
  'billing.invoice.list': ({ call }) => call(),
  async 'billing.invoice.get'(hands) {
    await bought(hands)
    const { invoices } = await hands.prepare('billing.invoice.list')
    return hands.call({ path: { id: invoices[0].id } })
  },
  'billing.event.list': ({ call }) => call(),
}

export const CALLS: Readonly<Record<string, Call>> = {
  ...Object.fromEntries(Object.entries(BILLING_CALLS).map(([name, call]) => [name, billed(call)])),
  'identity.auth.register': ({ call }) => call({ ...ANONYMOUS, body: NEWCOMER }),
  'identity.auth.login': (hands) =>
    hands.call({ ...ANONYMOUS, body: { identifier: emailOf(hands), password: PASSWORD } }),
  async 'identity.auth.login-mfa'(hands) {
    const code = await enrolled(hands)
    await hands.prepare('identity.mfa.confirm-totp', { body: { code: code() } })
    const body = { identifier: emailOf(hands), password: PASSWORD }
    const { details } = await hands.refused('identity.auth.login', { ...ANONYMOUS, body })
    // A code is good once.
    hands.later(60_000)
    return hands.call({ ...ANONYMOUS, body: { challengeToken: details.challengeToken, code: code() } })
  },
  async 'identity.auth.refresh'(hands) {
    const { refreshToken } = await login(hands)
    return hands.call({ ...ANONYMOUS, body: { refreshToken } })
  },
  async 'identity.session.revoke'(hands) {
    await login(hands)
    const { sessions } = await hands.prepare('identity.session.list')
    const other = sessions.find(({ isCurrent, current }: Data) => !(isCurrent ?? current))
    return hands.call({ path: { sid: other.id ?? other.sid } })
  },
  async 'identity.me.delete'(hands) {
    const { accessToken, organization } = await register(hands)
    await hands.prepare('identity.organization.delete', { ...SUPER, path: { id: organization.id } })
    return hands.call({ token: accessToken })
  },
  async 'identity.auth.reset-password'(hands) {
    const body = { token: await formerAddress(hands) }
    await hands.prepare('identity.auth.restore-email', { ...ANONYMOUS, body })
    const token = await hands.mailed(emailOf(hands), 'reset-password')
    return hands.call({ ...ANONYMOUS, body: { token, password: NEW_PASSWORD } })
  },
  'identity.auth.change-password': ({ call }) =>
    call({ body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD } }),
  async 'identity.auth.verify-email'(hands) {
    await register(hands)
    return hands.call({ ...ANONYMOUS, body: { token: await hands.mailed(NEWCOMER.email) } })
  },
  'identity.auth.restore-email': async (hands) =>
    hands.call({ ...ANONYMOUS, body: { token: await formerAddress(hands) } }),
  'identity.step-up.create': ({ call }) => call({ body: { method: 'password', password: PASSWORD } }),
  async 'identity.auth.client-credentials'({ prepare, call }) {
    const body = { name: 'exercised', scopes: ['pipelines:read'] }
    const { servicePrincipal, clientSecret } = await prepare('identity.service-principal.create', { body })
    const { clientId } = servicePrincipal
    return call({ ...ANONYMOUS, body: { grant_type: 'client_credentials', clientId, clientSecret } })
  },
  async 'identity.mfa.confirm-totp'(hands) {
    const code = await enrolled(hands)
    return hands.call({ body: { code: code() } })
  },
  async 'identity.mfa.delete-totp'(hands) {
    const code = await enrolled(hands)
    await hands.prepare('identity.mfa.confirm-totp', { body: { code: code() } })
    return hands.call()
  },
  async 'identity.pat.revoke'({ prepare, call }) {
    const { pat } = await prepare('identity.pat.create', { body: { name: 'exercised' } })
    return call({ path: { id: pat.id } })
  },
  async 'identity.organization.restore'({ prepare, call, team }) {
    await prepare('identity.organization.delete', { ...SUPER, path: { id: team.id } })
    return call({ ...SUPER, path: { id: team.id } })
  },
  'identity.member.bulk-add': ({ call, org, team }) =>
    call({ body: { userId: org.things.user[2], orgIds: [team.id], role: 'member' } }),
  'identity.member.add': ({ call, org, team }) =>
    call({ path: { id: team.id }, body: { userId: org.things.user[2], role: 'member' } }),
  async 'identity.role.unassign'({ prepare, call, org }) {
    const [roleId, userId] = [org.things.role[0], org.things.user[2]]
    await prepare('identity.role.assign', { path: { roleId }, body: { userId } })
    return call({ path: { roleId, userId } })
  },
  'identity.invitation.send': ({ call }) => call({ body: { email: NEWCOMER.email } }),
  'identity.invitation.view': async (hands) => hands.call({ ...ANONYMOUS, path: { id: await invited(hands) } }),
  async 'identity.invitation.accept'(hands) {
    const { accessToken } = await register(hands)
    const body = { token: await hands.mailed(NEWCOMER.email) }
    await hands.prepare('identity.auth.verify-email', { ...ANONYMOUS, body })
    hands.later(60_000)
    return hands.call({ token: accessToken, body: { token: await invited(hands) } })
  },
  'identity.invitation.accept-new': async (hands) =>
    hands.call({ ...ANONYMOUS, body: { token: await invited(hands), username: 'newcomer', password: PASSWORD } }),
  'identity.invitation.decline': async (hands) => hands.call({ ...ANONYMOUS, body: { token: await invited(hands) } }),
  'identity.user.create': ({ call }) => call({ ...SUPER, body: { username: 'newcomer', email: NEWCOMER.email } }),
  async 'audit.chain.prove'({ call, org, sign }) {
    await sign()
    return call({ ...SUPER, query: { orgId: org.id, seq: 1 } })
  },
  async 'audit.checkpoint.get'({ call, org, sign }) {
    await sign()
    return call({ ...SUPER, query: { orgId: org.id } })
  },
  'compliance.rule.create': ({ call }) => call({ body: ruleBody('exercised') }),
  'compliance.rule.restore': deletedRule,
  'compliance.rule.purge': deletedRule,
  'compliance.subscription.create': async (hands) => hands.call({ body: { ruleId: await published(hands) } }),
  'compliance.subscription.delete': async (hands) => hands.call({ path: { ruleId: await subscribed(hands) } }),
  'compliance.subscription.activate': async (hands) =>
    hands.call({ path: { ruleId: await subscribed(hands) }, body: { isActive: true } }),
  'compliance.subscription.pin': async (hands) => hands.call({ path: { ruleId: await subscribed(hands) } }),
  async 'compliance.subscription.unpin'(hands) {
    const path = { ruleId: await subscribed(hands) }
    await hands.prepare('compliance.subscription.pin', { path })
    return hands.call({ path })
  },
  'compliance.subscription.clone': async (hands) => hands.call({ body: { ruleId: await published(hands) } }),
  async 'compliance.subscription.bulk-activate'(hands) {
    const ruleIds = [await subscribed(hands)]
    return bulk(() => ({ ruleIds, isActive: true }))(hands)
  },
  async 'compliance.exemption.request'({ org, prepare, call }) {
    const { rule } = await prepare('compliance.rule.create', { body: ruleBody('asked to be exempted from') })
    return call({
      body: { ruleId: rule.id, entityType: 'plugin', entityId: org.things.plugin[0], reason: 'It is exercised here.' },
    })
  },
  'compliance.exemption.bulk-request': bulk(({ org }) => ({
    exemptions: [
      {
        ruleId: org.things.rule[0],
        entityType: 'plugin',
        entityKey: { name: 'exercised', version: '*' },
        reason: 'until it is built again',
      },
    ],
  })),
  async 'compliance.policy.create'({ prepare, call }) {
    const { rule } = await prepare('compliance.rule.create', { body: ruleBody('of an exercised policy') })
    return call({ body: { name: 'exercised policy', ruleIds: [rule.id] } })
  },
  'compliance.policy.restore': deletedPolicy,
  'compliance.policy.purge': deletedPolicy,
  async 'compliance.policy.clone'({ prepare, call }) {
    const asSystem = { ...SUPER, orgId: SYSTEM_ORG_ID }
    const { rule } = await prepare('compliance.rule.create', {
      ...asSystem,
      body: { ...ruleBody('to clone'), isTemplate: true },
    })
    const body = { name: 'to clone', ruleIds: [rule.id], isTemplate: true }
    const { policy } = await prepare('compliance.policy.create', { ...asSystem, body })
    return call({ path: { id: policy.id }, body: {} })
  },
  'compliance.event.take': ({ call, app, org }) =>
    call({
      as: 'system service',
      body: {
        eventId: app.runtime.ids.next(),
        entityId: org.things.plugin[0],
        orgId: org.id,
        target: 'plugin',
        eventType: 'updated',
        timestamp: new Date(app.runtime.clock.now()).toISOString(),
        attributes: {},
      },
    }),
  'compliance.scan-schedule.create': ({ call }) => call({ body: { target: 'plugin', cronExpression: '30 2 * * *' } }),
  // By chance it would name an upload that a message uses already.
  'message.message.send': ({ call, org }) =>
    call({
      body: {
        recipientOrgId: org.id,
        subject: 'exercised',
        content: 'with a file',
        attachmentIds: [org.things.attachment[0]],
      },
    }),
  'message.message.reply': ({ call, org }) =>
    call({
      path: { id: org.things.message[0] },
      body: { content: 'with a file', attachmentIds: [org.things.attachment[0]] },
    }),
  'message.message.restore': deletedMessage,
  'message.message.purge': deletedMessage,
  'message.attachment.upload': ({ call }) =>
    call({
      body: {},
      file: { part: 'file', name: 'note.txt', type: 'text/plain', content: Buffer.from('a note'), says: 'a note' },
    }),
  async 'pipeline.registry.deregister'({ prepare, call, org }) {
    const body = { pipelineId: org.things.pipeline[0], pipelineName: 'exercised' }
    const { registry } = await prepare('pipeline.registry.register', { body })
    return call({ path: { id: registry.id } })
  },
  'pipeline.pipeline.create': ({ call }) => call({ body: pipelineBody('exercised') }),
  'pipeline.pipeline.bulk-create': bulk(() => ({ pipelines: [pipelineBody('first'), pipelineBody('second')] })),
  'pipeline.pipeline.bulk-update': bulk(({ org }) => ({
    ids: org.things.pipeline,
    data: { description: 'exercised' },
  })),
  'pipeline.pipeline.bulk-delete': bulk(({ org }) => ({ ids: org.things.pipeline })),
  async 'pipeline.pipeline.update'({ prepare, call }) {
    const { pipeline } = await prepare('pipeline.pipeline.create', { body: pipelineBody('changed') })
    return call({ path: { id: pipeline.id }, body: { description: 'exercised' } })
  },
  'pipeline.pipeline.restore': deletedPipeline,
  'pipeline.pipeline.purge': deletedPipeline,
  'reporting.build-health.get': ({ org, call }) => call({ query: { pipelineId: org.things.pipeline[0] } }),
  'pipeline.revision.get': ({ call, org }) => call({ path: { id: org.things.pipeline[0], revision: 1 } }),
  'pipeline.revision.diff': ({ call, org }) => call({ path: { id: org.things.pipeline[0], revision: 1 } }),
  'pipeline.template.create': ({ call }) =>
    call({ body: { name: 'exercised', inputs: [], props: propsOf('exercised') } }),
  'pipeline.template.update': ({ call, org }) =>
    call({ path: { id: org.things.template[0] }, body: { description: 'exercised' } }),
  'pipeline.template.restore': deletedTemplate,
  'pipeline.template.purge': deletedTemplate,
  'plugin.plugin.lookup': ({ call, org }) => call({ body: { filter: { nameExact: org.things.pluginName[0] } } }),
  'plugin.plugin.upload': ({ call }) => call({ body: {}, file: pluginArchive('exercised') }),
  'plugin.plugin.bulk-update': bulk(({ org }) => ({ ids: org.things.plugin, data: { description: 'exercised' } })),
  'plugin.plugin.bulk-delete': bulk(({ org }) => ({ ids: [org.things.plugin[1]] }), { force: true }),
  'plugin.plugin.delete': ({ call, org }) => call({ path: { id: org.things.plugin[1] }, query: { force: true } }),
  'plugin.plugin.restore': deletedPlugin,
  'plugin.plugin.purge': deletedPlugin,
}
