/**
 * Each operation is the file that its name says: `compliance.policy.clone` is `compliance/policy/clone.ts` and exports
 * `clonePolicy`. What can be done to a noun is what `ls` shows.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { beforeAll, expect, it } from 'vitest'
import type { Operation } from '../src/runtime/operation/operation.js'
import { allOperations } from './support/operations.js'

const source = fileURLToPath(new URL('../src', import.meta.url))

const UPDATES = 'the log has one event for every change of such a record'
const RULES = 'what it changes or copies are rules, and the log follows each rule'
const SIGN_ON = 'the events say what the sign-in did'
const IDP = 'the specification has one event for a provider that is made or changed'
const SECURITY = 'the log has the events of the account, not the pages that lead to them'

/** Commands whose audit event has another verb. Events are evidence: their names do not change with the code. */
const AUDITED_AS: Readonly<Record<string, string>> = {
  'sso.sign-in.complete': SIGN_ON,
  'sso.enforcement.set': 'the event says whether it is enforced',
  'sso.session.end': 'it is a sign-out like any other',
  'sso.backchannel-logout.receive': 'the event says which session ended',
  'sso.sign-in.confirm': SIGN_ON,
  'sso.sign-in.exchange': SIGN_ON,
  'sso.social-sign-in.complete': SIGN_ON,
  'sso.social-sign-in.exchange': SIGN_ON,
  'sso.social-link.delete': 'the log names it by the act: unlink',
  'sso.provider.create': IDP,
  'sso.provider.set': IDP,
  'sso.provider.update': IDP,
  'sso.default-provider.set': IDP,
  'sso.scim-user.set': UPDATES,
  'sso.scim-group.set': UPDATES,
  'sso.default-provider.update': IDP,
  'identity.auth.refresh': 'only the reuse of a token that was spent is an event',
  'identity.auth.verify-email': SECURITY,
  'identity.auth.restore-email': SECURITY,
  'identity.step-up.create': 'only a failed confirmation is an event',
  'identity.mfa.confirm-totp': SECURITY,
  'identity.mfa.delete-totp': SECURITY,
  'reporting.link.delete': UPDATES,
  'reporting.link.set': UPDATES,
  'reporting.outcome.delete': UPDATES,
  'identity.organization.rename': UPDATES,
  'identity.organization.set-tier': UPDATES,
  'identity.organization.set-seat-limit': UPDATES,
  'identity.organization.delete': 'the event of the purge is the deletion',
  'identity.member.set-role': 'the level of a member is a Role, given or taken',
  'identity.role.assign': 'the event is about the member who gets the Role',
  'identity.role.unassign': 'the event is about the member who loses the Role',
  'identity.user.reset-password': UPDATES,
  'identity.user.set-features': UPDATES,
  'identity.user.impersonate': 'the event is the start of the session',
  'plugin.plugin.deploy-generated': 'it makes an archive and is an upload of it',
  'compliance.subscription.activate': RULES,
  'compliance.subscription.bulk-activate': RULES,
  'compliance.subscription.auto-create': 'each subscription that it creates is an event',
  'compliance.subscription.clone': RULES,
  'compliance.policy.clone': 'a copy is created',
  'compliance.template.clone': RULES,
  'compliance.exemption.review': 'it approves or rejects: one route, two events',
  'compliance.entitlement.sync': RULES,
  'compliance.scan-schedule.activate': UPDATES,
  'message.message.send': 'an announcement is the only message that is an event',
  'message.message.purge': 'the event says why: deleted for good',
  'pipeline.pipeline.restore': UPDATES,
  'pipeline.pipeline.purge': 'the event says why: deleted for good',
  'pipeline.template.restore': UPDATES,
  'pipeline.template.purge': 'the event says why: deleted for good',
  'plugin.plugin.restore': UPDATES,
  'plugin.plugin.purge': 'the event says why: deleted for good',
  'billing.addon.set': 'the event says whether it came, changed or went',
  'billing.clock.fail-payments': 'it changes how payments of the clock go',
  'billing.discount.create': 'the specification calls it generated',
  'billing.discount.redeem': 'however it comes to an account, it is applied',
  'billing.discount.update': 'the specification knows made and revoked',
  'billing.entitlement.resync': 'what is put in force is a tier, over what stood there',
  'billing.ledger.export': 'the event is the seal that the file is held against',
  'billing.notification.receive': 'the events say what the notice did',
  'billing.purchase.resolve': 'a subscription is created by it',
  'billing.reconcile.compare': 'the events say what the comparison repaired',
  'billing.webhook.receive': 'the events say what the delivery did',
  'plugin.scan.put': 'a report changes what is known of the plugin',
  'registry.image.collect': 'the specification calls it gc',
  'billing.subscription.drop-change': 'it is a change of the plan, back to the one before',
}

/** What the noun of a folder is called in the names of exports. */
const NOUNS: Readonly<Record<string, { readonly noun: string; readonly reason: string }>> = {
  'pipeline/registry': { noun: 'Pipeline', reason: 'the registry is of pipelines: one registers a pipeline' },
  'plugin/dlq': { noun: 'DeadBuild', reason: 'dead letters are builds' },
  'plugin/builder': { noun: 'Build', reason: 'what a builder works on are builds' },
  'plugin/queue': { noun: 'Build', reason: 'what waits in the queue are builds' },
  'compliance/scan-schedule': { noun: 'Schedule', reason: 'nothing but a scan has one' },
  'notification/notification-log': { noun: 'Delivery', reason: 'the log is of deliveries' },
  'compliance/preview': { noun: 'Rule', reason: 'what is previewed is a rule' },
  'compliance/seal': { noun: 'CheckLog', reason: 'what is sealed is the log of checks' },
  'identity/auth': { noun: '', reason: 'the noun is the person who signs in' },
  'identity/me': { noun: '', reason: 'the noun is the person who asks' },
  'identity/mfa': { noun: '', reason: 'the factor is in the verb' },
  'message/event': { noun: 'Message', reason: 'an event is a message that arrives' },
}

interface Definition {
  /** Below `src`, without `.ts`. */
  readonly place: string
  readonly exported: string
}

let operations: readonly Operation[]
let definitions: ReadonlyMap<string, readonly Definition[]>
beforeAll(async () => {
  operations = await allOperations()
  definitions = definitionsIn([...new Set(operations.map(({ name }) => domainOf(name)))])
})

it('has a file of its own, named by its noun and verb', () => {
  const misplaced = operations.flatMap(({ name }) => {
    const place = definitions.get(name)?.map(({ place }) => place)
    const expected = name.replaceAll('.', '/')
    return place?.length === 1 && place[0] === expected ? [] : [{ name, expected, place }]
  })
  expect(misplaced, '`domain.noun.verb` is the file `domain/noun/verb.ts`').toEqual([])
})

it('is exported by its verb and noun', () => {
  const misnamed = operations.flatMap(({ name }) => {
    const [found] = definitions.get(name) ?? []
    return found !== undefined && isNamedBy(found) ? [] : [{ name, ...found }]
  })
  expect(misnamed, '`compliance.policy.clone` is exported as `clonePolicy`').toEqual([])
})

it('is alone in its file', () => {
  const places = [...definitions.values()].flat().map(({ place }) => place)
  expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([])
})

it('has the verb of its audit event, or a reason for another', () => {
  const commands = operations.flatMap((operation) =>
    'audit' in operation && Array.isArray(operation.audit) && operation.audit.length > 0
      ? [{ name: operation.name as string, events: operation.audit as readonly string[] }]
      : [],
  )
  expect(commands.length).toBeGreaterThan(100)
  const different = commands.filter(({ name, events }) => !events.some((event) => saysTheSame(name, event)))
  const fix = 'give the event the verb of the operation, or list the operation in AUDITED_AS with the reason'
  expect(different.map(({ name }) => name).sort(), fix).toEqual(Object.keys(AUDITED_AS).sort())
})

const domainOf = (name: string): string => name.slice(0, name.indexOf('.'))

/** `list-deleted` of `policy` is `listDeletedPolicies`, `get-status` of `quota` is `getQuotaStatus`. */
function isNamedBy({ place, exported }: Definition): boolean {
  const verb = camel(basename(place))
  const [, first = verb, rest = ''] = /^([a-z]+)(.*)$/.exec(verb) ?? []
  const nouns = [camel(`-${basename(dirname(place))}`), NOUNS[dirname(place)]?.noun ?? '']
  const spellings = nouns.flatMap((noun) => [noun, `${noun}s`, noun.replace(/y$/, 'ies'), noun.replace(/x$/, 'xes')])
  return spellings.some((each) => [`${verb}${each}`, `${first}${each}${rest}`].includes(exported))
}

/** `bulk-add` is audited as `add`, `set-role` as `setRole`, `cancel` as `cancel-requested`. */
function saysTheSame(operation: string, event: string): boolean {
  const [verb, audited] = [operation, event].map((name) => name.slice(name.lastIndexOf('.') + 1).replace(/[-_]/g, ''))
  const [said, written] = [verb?.replace(/^bulk/, '').toLowerCase() ?? '', audited?.toLowerCase() ?? '']
  return said.startsWith(written) || written.startsWith(said)
}

const camel = (kebab: string): string => kebab.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** Where each operation's name is written, as the value of `name`. */
function definitionsIn(domains: readonly string[]): Map<string, Definition[]> {
  const found = new Map<string, Definition[]>()
  for (const file of domains.flatMap(sourcesOf)) {
    const tree = ts.createSourceFile(file, readFileSync(join(source, file), 'utf8'), ts.ScriptTarget.Latest, true)
    for (const statement of tree.statements) {
      for (const name of namesIn(statement)) {
        const place = file.replace(/\.ts$/, '')
        found.set(name, [...(found.get(name) ?? []), { place, exported: exportOf(statement) }])
      }
    }
  }
  return found
}

const sourcesOf = (domain: string): string[] =>
  readdirSync(join(source, domain), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => `${domain}/${file}`)

function namesIn(node: ts.Node): string[] {
  const own =
    ts.isPropertyAssignment(node) &&
    node.name.getText() === 'name' &&
    ts.isStringLiteral(node.initializer) &&
    /^[a-z]+(\.[a-z-]+){2}$/.test(node.initializer.text)
      ? [node.initializer.text]
      : []
  return [...own, ...node.getChildren().flatMap(namesIn)]
}

function exportOf(statement: ts.Statement): string {
  const [declaration] = ts.isVariableStatement(statement) ? statement.declarationList.declarations : []
  const name = declaration?.name ?? (ts.isFunctionDeclaration(statement) ? statement.name : undefined)
  return name?.getText() ?? ''
}
