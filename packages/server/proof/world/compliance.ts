/** What an organization keeps of compliance: rules with all that hangs on them, and what it was told. */

import { identityTables } from '../../src/identity/tables.js'
import { notificationTables } from '../../src/notification/tables.js'
import type { Runtime } from '../../src/runtime/operation/context.js'
import type { Maker } from './maker.js'

/** Two rules, of which the first is handed down to the teams, and a check that each of them blocks. */
export async function makeRules({ index, children, things, named, post, mark }: Maker): Promise<void> {
  for (let n = 0; n < 2; n++) {
    const seenIn = n === 0 ? [index, ...children] : [index]
    const texts = ['rule', 'ruletext', 'rulevalue', 'ruletag'].map((what) => named(`${what}${n}`))
    const [name, description, value, tag] = texts
    const made = await post('/compliance/rules', {
      name,
      description,
      target: 'plugin',
      field: 'description',
      operator: 'neq',
      value,
      tags: [tag],
      propagateToChildren: n === 0,
    })
    const ruleId = made.data.rule.id
    things.rule.push(ruleId)
    for (const text of [...texts, ruleId]) mark(text, seenIn)
    const policy = await post('/compliance/policies', {
      name: named(`policy${n}`),
      description: named(`policytext${n}`),
      ruleIds: [ruleId],
    })
    things.policy.push(policy.data.policy.id)
    const exemption = await post('/compliance/exemptions', {
      ruleId,
      entityType: 'plugin',
      entityId: `00000000-0000-7000-8000-0000000${String(index).padStart(4, '0')}${n}`,
      entityName: named(`waived${n}`),
      reason: named(`waiver${n}`),
    })
    things.exemption.push(exemption.data.exemption.id)
    for (const what of ['policy', 'policytext', 'waived', 'waiver']) mark(named(`${what}${n}`), [index])
    mark(exemption.data.exemption.id, [index])
    // A team sees the id beside the rule that is handed down, and nothing else of the policy.
    mark(policy.data.policy.id, seenIn)
    const entityName = named(`checked${n}`)
    mark(entityName, [index])
    await post('/compliance/validate/plugin', { attributes: { description: value }, entityName })
    const target = n === 0 ? 'plugin' : 'pipeline'
    const scan = await post('/compliance/scans', { target, filter: { name: named(`scan${n}`) } })
    const schedule = await post('/compliance/scan-schedules', { target, cronExpression: '30 2 * * *' })
    things.scan.push(scan.data.scan.id)
    things.schedule.push(schedule.data.schedule.id)
    for (const text of [named(`scan${n}`), scan.data.scan.id, schedule.data.schedule.id]) mark(text, [index])
  }
}

/** A webhook whose secret nobody ever sees again, a compliance role, and a delivery that failed. */
export async function makeNotified(
  { index, id: orgId, things, named, put, mark }: Maker,
  { ids, clock, store }: Pick<Runtime, 'ids' | 'clock' | 'store'>,
): Promise<void> {
  const webhookUrl = `https://hooks.example.com/${named('hook')}`
  const webhookSecret = named('hooksecret')
  await put('/compliance/notification-preferences', { webhookUrl, webhookSecret })
  mark(named('hook'), [index])
  mark(webhookSecret, [])
  const [id, deliveryId, attemptId] = [ids.next(), ids.next(), ids.next()]
  const nowMs = clock.now()
  const event = 'compliance.block'
  const [entityName, error] = [named('told'), named('undelivered')]
  await store.system.write(async (tx) => {
    // Past the route, which would end the tokens of the member.
    const role = { id: ids.next(), orgId, userId: things.user.at(-1) ?? '', role: 'viewer', grantedBy: null }
    await tx.insert(identityTables(tx).complianceRoles).values({ ...role, createdAtMs: nowMs, updatedAtMs: nowMs })
    const t = notificationTables(tx)
    const payload = { id, event, orgId, entityName }
    const common = { orgId, createdAtMs: nowMs }
    await tx
      .insert(t.notifications)
      .values({ ...common, id, onceKey: id, event, priority: 'high', payload, relatedCheckId: null })
    const delivery = { ...common, id: deliveryId, notificationId: id, channel: 'webhook', state: 'failed' }
    await tx.insert(t.deliveries).values({ ...delivery, attempts: 1, attemptsBefore: 0, updatedAtMs: nowMs })
    const attempt = { ...common, id: attemptId, notificationId: id, deliveryId, event, channel: 'webhook', attempt: 1 }
    await tx.insert(t.attempts).values({ ...attempt, status: 'failed', responseCode: 404, error, nextRetryAtMs: null })
  }, 'proof')
  things.notification.push(attemptId)
  for (const text of [id, deliveryId, attemptId, entityName, error]) mark(text, [index])
}
