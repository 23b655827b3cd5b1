/** Who sends the requests of the findings, and what several of them send. */
import { makeZip } from '../../test/support/zip.js'
import { colleague, confirmedOwner } from '../attacks/attacks.js'
import { type Answer, BOSS, PASSWORD, type Person, type Target } from '../attacks/target.js'

export const statuses = (answers: readonly Answer[]): string => answers.map(({ status }) => status).join(', ')

export type Ask = (method: string, path: string, body?: unknown, headers?: object) => Promise<Answer>

/** Requests of a person, for their organization unless a header names another. */
export const asking =
  (target: Target, as: Person): Ask =>
  (method, path, body, headers = {}) =>
    target.call(method, path, { as, body, headers: { 'x-org-id': as.orgId, ...headers } })

/** The same with a confirmation by password. */
export const confirming =
  (target: Target, as: Person): Ask =>
  async (method, path, body, headers = {}) =>
    asking(target, as)(method, path, body, { ...headers, ...(await target.stepUp(as)) })

const bosses = new WeakMap<Target, Promise<Person>>()

/** The administrator of the system, who set a password by a link to the listed mailbox. */
export function bossOf(target: Target): Promise<Person> {
  const known = bosses.get(target)
  if (known !== undefined) return known
  const made = makeBoss(target)
  bosses.set(target, made)
  return made
}

async function makeBoss(target: Target): Promise<Person> {
  const account = await target.signUp('boss', BOSS)
  // Registration mails the link: one that is asked for besides would end it.
  const token = await target.mailedToken(BOSS, '/reset-password')
  const { status, code } = await target.call('POST', '/auth/password/reset', { body: { token, password: PASSWORD } })
  if (status !== 204) throw new Error(`the administrator set no password: ${status} ${code}`)
  return { ...account, token: (await target.signIn(account)).data.accessToken }
}

/** The token of a service principal that the person makes. */
export async function principalToken(
  target: Target,
  as: Person,
  orgId: string,
  scopes: readonly string[],
): Promise<string> {
  const at = `/organization/${orgId}/service-principals`
  const made = await confirming(target, as)(
    'POST',
    at,
    { name: scopes.join('-').replaceAll(':', '-'), scopes },
    { 'x-org-id': orgId },
  )
  if (made.status !== 201) throw new Error(`principal: ${made.status} ${JSON.stringify(made.data)}`)
  const { clientSecret, servicePrincipal } = made.data
  const body = { grant_type: 'client_credentials', clientId: servicePrincipal.clientId, clientSecret }
  return (await target.call('POST', '/auth/token', { body })).data.accessToken
}

/** Teams are a feature of it, and nothing runs into its limits. */
export async function raiseTier(target: Target, orgId: string, tier = 'team'): Promise<Answer> {
  const boss = confirming(target, await bossOf(target))
  return boss('PATCH', `/organization/${orgId}/tier`, { tier, force: true })
}

/** An owner with a confirmed address, whose organization has every feature and room for everybody. */
export async function ownerOf(target: Target, name: string): Promise<Person> {
  const owner = await confirmedOwner(target, name)
  await raiseTier(target, owner.orgId)
  return owner
}

export interface Pair {
  readonly owner: Person
  readonly admin: Person
}

/** An owner and an Admin of one organization: an exemption takes two people. */
export async function ownerAndAdmin(target: Target, name: string): Promise<Pair> {
  const owner = await ownerOf(target, name)
  const admin = await colleague(target, owner, `${name}-admin`, [])
  await confirming(target, owner)('PATCH', `/organization/${owner.orgId}/members/${admin.id}`, { role: 'admin' })
  return { owner, admin }
}

export const PIPELINE = {
  project: 'Web',
  organization: 'Acme',
  props: { synth: { source: { type: 'github', options: { repo: 'acme/web' } }, plugin: { name: 'build' } } },
}

/** Like `PIPELINE`, from this branch. */
export const fromBranch = (branch: string, more: object = {}) => ({
  ...PIPELINE,
  props: {
    ...more,
    synth: { source: { type: 'github', options: { repo: 'acme/web', branch } }, plugin: { name: 'build' } },
  },
})

/** Makes a rule that blocks. @returns its id */
export async function criticalRule(ask: Ask, rule: object): Promise<string> {
  const made = await ask('POST', '/compliance/rules', { target: 'pipeline', severity: 'critical', ...rule })
  if (made.status !== 201) throw new Error(`rule: ${made.status} ${JSON.stringify(made.data)}`)
  return made.data.rule.id
}

export const DESCRIBED = { name: 'desc', field: 'description', operator: 'notEmpty' }

/** An exemption that the owner asks for and the Admin approves. */
export async function exempted(target: Target, { owner, admin }: Pair, named: object): Promise<Answer> {
  const body = { reason: 'until the next release', ...named }
  const asked = await asking(target, owner)('POST', '/compliance/exemptions', body)
  if (asked.status !== 201) return asked
  const at = `/compliance/exemptions/${asked.data.exemption.id}/review`
  return asking(target, admin)('PUT', at, { status: 'approved' })
}

/** Uploads a plugin of this name. @param more lines of its specification. */
export async function upload(target: Target, { token, orgId }: Person, version: string, more = ''): Promise<number> {
  const content = `name: tool\nversion: ${version}\ncommands: [make]\ndockerfile: Dockerfile\n${more}`
  const archive = makeZip([
    { name: 'plugin-spec.yaml', content, method: 0 },
    { name: 'Dockerfile', content: 'FROM alpine:3.20\n', method: 0 },
  ])
  const form = new FormData()
  form.set('plugin', new File([archive], 'a.zip', { type: 'application/zip' }))
  const headers = { authorization: `Bearer ${token}`, 'x-org-id': orgId }
  return (await target.fetch('/plugins', { method: 'POST', headers, body: form })).status
}

/** Asks until the answer is good. @throws Error after 20 s, with the last answer. */
export async function until<T>(ask: () => Promise<T>, isGood: (answer: T) => boolean): Promise<T> {
  const endsMs = performance.now() + 20_000
  for (;;) {
    const answer = await ask()
    if (isGood(answer)) return answer
    if (performance.now() > endsMs) throw new Error(`after 20 s still ${JSON.stringify(answer)?.slice(0, 300)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
