/**
 * Requests that once went through, each with the answer that it gets now. Each attack makes its own people, so that one that
 * goes wrong spoils no other.
 */
import { type Answer, BOSS, PASSWORD, type Person, type Target } from './target.js'

export interface Attack {
  readonly name: string
  /** What the answers are to be. */
  readonly expects: string
  run(target: Target): Promise<string>
}

export const shown = ({ status, code }: Answer): string => `${status} ${code}`.trim()

/** How often each answer came. */
export function tally(answers: readonly Answer[]): string {
  const times = new Map<string, number>()
  for (const answer of answers) times.set(shown(answer), (times.get(shown(answer)) ?? 0) + 1)
  return [...times]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([what, n]) => `${n}× ${what}`)
    .join(', ')
}

export const many = <T>(count: number, run: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)))

/**
 * A health check beside a request waits for what others do on the machine, too; without the bounds of sizes it waited from
 * 20 s to minutes. `npm run proof -- stalls` measures what is left, by processor time.
 */
const HEALTH_MS_MAX = 3000

async function beside(target: Target, attack: Promise<Answer>): Promise<string> {
  let isOver = false
  const over = attack.finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    const startedMs = performance.now()
    await target.call('GET', '/health')
    longest = Math.max(longest, performance.now() - startedMs)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const answer = await over
  return `${shown(answer)}, health ${longest <= HEALTH_MS_MAX ? 'in time' : `after ${Math.round(longest)} ms`}`
}

/** A token of the owner that holds these permissions alone. */
export async function narrowed(target: Target, owner: Person, permissions: readonly string[]): Promise<string> {
  const body = { name: 'narrow', permissions }
  const headers = await target.stepUp(owner)
  return (await target.call('POST', '/auth/pats', { as: owner, body, headers })).data.token
}

/** Somebody in the organization of the owner, with these Roles besides. */
export async function colleague(
  target: Target,
  owner: Person,
  name: string,
  permissions: readonly string[],
): Promise<Person> {
  const at = `/organization/${owner.orgId}`
  const role = { name: `${name} role`, permissions }
  const made = permissions.length === 0 ? null : await target.call('POST', `${at}/roles`, { as: owner, body: role })
  const roleIds = made === null ? [] : [made.data.role.id]
  const email = `${name}@plumbline.test`
  await target.call('POST', '/invitation/send', {
    as: owner,
    body: { email, roleIds },
    headers: await target.stepUp(owner),
  })
  const token = await target.mailedToken(email, '/invite/accept')
  const joined = await target.call('POST', '/invitation/accept-new', {
    body: { token, username: name, password: PASSWORD },
  })
  const { accessToken } = (await target.signIn({ name })).data
  return { name, id: joined.data.user.id, orgId: owner.orgId, token: accessToken }
}

/** An owner with a confirmed address, who may invite. */
export async function confirmedOwner(target: Target, name: string): Promise<Person> {
  const owner = await target.signUp(name)
  await target.call('POST', '/auth/verify-email', {
    body: { token: await target.mailedToken(`${name}@plumbline.test`, '/verify-email') },
  })
  return { ...owner, token: (await target.signIn(owner)).data.accessToken }
}

export const FEW_JUDGED = 'no more judged than the lock lets through'
const GUESSES = 40

/** Five, and one more after 1 s, 2 s, 4 s and so on: on a busy machine the guesses take that long. */
export async function guesses(guess: (n: number) => Promise<Answer>): Promise<string> {
  const startedMs = performance.now()
  const answers = await many(GUESSES, guess)
  const judgedMax = 5 + Math.floor(Math.log2(1 + (performance.now() - startedMs) / 1000))
  const judged = answers.filter(({ status }) => status === 401).length
  return judged >= 1 && judged <= judgedMax ? FEW_JUDGED : tally(answers)
}

const LONG = 1_000_000

export const ATTACKS: readonly Attack[] = [
  {
    name: 'a link that a pattern takes long for, beside a health check',
    expects: '400 VALIDATION_ERROR, health in time',
    async run(target) {
      const as = await target.signUp('link')
      const body = { links: [{ title: 't', url: `http://${'a'.repeat(LONG)} ` }] }
      return beside(target, target.call('POST', '/pipelines', { as, body }))
    },
  },
  {
    name: 'a list of 150,000 permissions, beside a health check',
    expects: '401 STEP_UP_REQUIRED, health in time',
    async run(target) {
      const as = await target.signUp('list')
      const body = { name: 'x', permissions: Array.from({ length: 150_000 }, (_, n) => n) }
      return beside(target, target.call('POST', '/auth/pats', { as, body }))
    },
  },
  {
    name: 'a new e-mail address by a stolen token',
    expects: '401 STEP_UP_REQUIRED',
    async run(target) {
      const as = await target.signUp('mover')
      return shown(await target.call('PATCH', '/auth/me', { as, body: { email: 'evil@attacker.test' } }))
    },
  },
  {
    name: 'a text field of 5 MB in a form',
    expects: 'refused',
    async run(target) {
      const as = await target.signUp('former')
      const form = new FormData()
      form.set('description', 'a'.repeat(5 * LONG))
      const headers = { authorization: `Bearer ${as.token}` }
      // The connection may be cut while the client still sends.
      const status = await target
        .fetch('/plugins', { method: 'POST', headers, body: form })
        .then((answer) => answer.status)
        .catch(() => 413)
      // What was taken in to its end is refused with 400 for the file that is not there.
      return status === 413 ? 'refused' : String(status)
    },
  },
  {
    name: 'the keys of a form that reach for the prototype',
    expects: '400, names the key',
    async run(target) {
      const as = await target.signUp('proto')
      const form = new FormData()
      form.set('labels', '{"__proto__":"x"}')
      form.set('plugin', new File(['x'], 'a.zip', { type: 'application/zip' }))
      const headers = { authorization: `Bearer ${as.token}` }
      const answer = await target.fetch('/plugins', { method: 'POST', headers, body: form })
      // The archive is none either: the key is what must be refused.
      const text = await answer.text()
      return `${answer.status}, ${text.includes('`__proto__`') ? 'names the key' : text}`
    },
  },
  {
    name: 'the address of an administrator, registered first by somebody else',
    expects: '403 INSUFFICIENT_PERMISSIONS',
    async run(target) {
      const as = await target.signUp('notboss', BOSS)
      return shown(await target.call('GET', '/admin/users', { as }))
    },
  },
  {
    name: 'who administers, asked by a reserved name',
    expects: '403 RESERVED_ORG, 403 RESERVED_ORG',
    async run(target) {
      const ask = (username: string, email: string) =>
        target.call('POST', '/auth/register', {
          body: { username, email, password: PASSWORD, organizationName: 'System' },
        })
      return [await ask('asks-a', BOSS), await ask('asks-b', 'nobody@corp.test')].map(shown).join(', ')
    },
  },
  {
    name: 'an Admin removed and deactivated by somebody who holds less',
    expects: '403, 403',
    async run(target) {
      const owner = await confirmedOwner(target, 'chief')
      const admin = await colleague(target, owner, 'second', [])
      const raised = { as: owner, body: { role: 'admin' }, headers: await target.stepUp(owner) }
      await target.call('PATCH', `/organization/${owner.orgId}/members/${admin.id}`, raised)
      const as = await colleague(target, owner, 'mutineer', ['members:manage'])
      const at = `/organization/${owner.orgId}/members/${admin.id}`
      const answers = [await target.call('PATCH', `${at}/deactivate`, { as }), await target.call('DELETE', at, { as })]
      return answers.map(({ status }) => status).join(', ')
    },
  },
  {
    name: 'a squatter’s token after the owner of the mailbox set a password',
    expects: '401',
    async run(target) {
      const squatter = await target.signUp('squatter', 'victim@corp.test')
      const headers = await target.stepUp(squatter)
      const made = await target.call('POST', '/auth/pats', { as: squatter, body: { name: 'stays' }, headers })
      await target.call('POST', '/auth/password/forgot', { body: { email: 'victim@corp.test' } })
      const token = await target.mailedToken('victim@corp.test', '/reset-password')
      await target.call('POST', '/auth/password/reset', { body: { token, password: 'Other-Horse-8' } })
      const kept = made.data.token ?? squatter.token
      return String((await target.call('GET', '/auth/me', { as: kept })).status)
    },
  },
  {
    name: 'a stored secret, asked for again without a confirmation',
    expects: '201, 401 STEP_UP_REQUIRED',
    async run(target) {
      const as = await target.signUp('replayer')
      const key = { 'idempotency-key': 'k1' }
      const body = { name: 'x' }
      const first = await target.call('POST', '/auth/pats', {
        as,
        body,
        headers: { ...key, ...(await target.stepUp(as)) },
      })
      return `${shown(first)}, ${shown(await target.call('POST', '/auth/pats', { as, body, headers: key }))}`
    },
  },
  {
    name: '40 passwords guessed at once, by name and by address',
    expects: FEW_JUDGED,
    async run(target) {
      await target.signUp('guessed')
      return guesses((n) =>
        target.signIn({ name: n % 2 === 0 ? 'guessed' : 'guessed@plumbline.test' }, `Wrong-Horse-${n}`),
      )
    },
  },
  {
    name: 'an export by a token for settings alone',
    expects: '401 STEP_UP_REQUIRED',
    async run(target) {
      const owner = await target.signUp('exporter')
      const as = await narrowed(target, owner, ['org:settings'])
      return shown(await target.call('GET', `/organization/${owner.orgId}/export`, { as }))
    },
  },
  {
    name: 'more streams than a person may have open',
    expects: '10× 200, 10× 429',
    async run(target) {
      const { token } = await target.signUp('listener')
      const abort = new AbortController()
      const headers = { authorization: `Bearer ${token}` }
      const opened = await many(20, () => target.fetch('/messages/stream', { headers, signal: abort.signal }))
      const times = (status: number) => opened.filter((each) => each.status === status).length
      abort.abort()
      return `${times(200)}× 200, ${times(429)}× 429`
    },
  },
  {
    name: 'names that show more than a name',
    expects: '400, 409, 409, 400',
    async run(target) {
      const as = await target.signUp('namer')
      const make = (name: string) =>
        target.call('POST', `/organization/${as.orgId}/roles`, { as, body: { name, permissions: ['plugins:read'] } })
      const lines = { name: 'Security\nYour account was locked' }
      const answers = [
        await make('Admin\u200b'),
        await make('\u0410dmin'),
        await make('ADMIN'),
        await target.call('POST', '/organization', { as, body: lines }),
      ]
      return answers.map(({ status }) => status).join(', ')
    },
  },
  {
    name: 'doors that a narrowed token does not open',
    expects: '403, 403, 403',
    async run(target) {
      const owner = await target.signUp('narrower')
      const as = await narrowed(target, owner, ['messages:read'])
      const at = `/organization/${owner.orgId}`
      const answers = [
        await target.call('GET', `${at}/members`, { as }),
        await target.call('GET', `${at}/roles`, { as }),
        await target.call('PATCH', '/auth/me', { as, body: { username: 'renamed' } }),
      ]
      return answers.map(({ status }) => status).join(', ')
    },
  },
  {
    name: 'an Admin invited, and a scope widened, by a stolen token',
    expects: '401 STEP_UP_REQUIRED, 401 STEP_UP_REQUIRED',
    async run(target) {
      const as = await confirmedOwner(target, 'robbed')
      const invited = await target.call('POST', '/invitation/send', {
        as,
        body: { email: 'thief@attacker.test', role: 'admin' },
      })
      const path = `/organization/${as.orgId}/service-principals`
      const body = { name: 'ci', scopes: ['pipelines:read'] }
      const made = await target.call('POST', path, { as, body, headers: await target.stepUp(as) })
      const at = `${path}/${made.data.servicePrincipal?.id}`
      const wider = { scopes: ['pipelines:read', 'plugins:read'] }
      return [invited, await target.call('PATCH', at, { as, body: wider })].map(shown).join(', ')
    },
  },
  {
    name: 'an invitation declined and revoked at once',
    expects: 'one of the two, each time',
    async run(target) {
      const as = await confirmedOwner(target, 'racer')
      for (let round = 0; round < 8; round++) {
        const email = `raced${round}@far.test`
        const sent = await target.call('POST', '/invitation/send', { as, body: { email } })
        const token = await target.mailedToken(email, '/invite/accept')
        const answers = await Promise.all([
          target.call('POST', '/invitation/decline', { body: { token } }),
          target.call('DELETE', `/invitation/${sent.data.invitation.id}`, { as }),
        ])
        const done = answers.filter(({ status }) => status < 300).length
        if (done !== 1) return `round ${round}: ${tally(answers)}`
      }
      return 'one of the two, each time'
    },
  },
  {
    name: 'records of another organization, by id and by header',
    expects: '404, 404, 403',
    async run(target) {
      const victim = await target.signUp('neighbour')
      const as = await target.signUp('stranger')
      const body = { name: 'no latest', target: 'plugin', field: 'version', operator: 'neq', value: 'latest' }
      const rule = await target.call('POST', '/compliance/rules', { as: victim, body })
      const answers = [
        await target.call('GET', `/compliance/rules/${rule.data.rule?.id ?? rule.data.id}`, { as }),
        await target.call('GET', `/organization/${victim.orgId}`, { as }),
        await target.call('GET', '/compliance/rules', { as, headers: { 'x-org-id': victim.orgId } }),
      ]
      return answers.map(({ status }) => status).join(', ')
    },
  },
]
