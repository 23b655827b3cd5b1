/** More requests that once went through: what outlives the change of an address, what costs others, and what is told to strangers. */
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { generateSync } from 'otplib'
import { makeZip } from '../../test/support/zip.js'
import { type Attack, confirmedOwner, FEW_JUDGED, guesses, many, shown, tally } from './attacks.js'
import { BOSS, PASSWORD, type Person, type Target } from './target.js'

const HEADS = 400
/** Handles that others open and close meanwhile. */
const HANDLES_MORE_MAX = 20
/** An upload beside one that takes long: the reader of archives ends that after seconds, and was held for 45 s. */
const UPLOAD_MS_MAX = 20_000

async function upload(target: Target, { token }: Person, name: string, dockerfile: string): Promise<number> {
  const spec = `name: ${name}\nversion: 1.0.0\ncommands: [make]\ndockerfile: Dockerfile\n`
  const archive = makeZip([
    { name: 'plugin-spec.yaml', content: spec, method: 0 },
    { name: 'Dockerfile', content: dockerfile, method: 0 },
  ])
  const form = new FormData()
  form.set('plugin', new File([archive], 'a.zip', { type: 'application/zip' }))
  const headers = { authorization: `Bearer ${token}` }
  return (await target.fetch('/plugins', { method: 'POST', headers, body: form })).status
}

/** The secret of an authenticator app that the person has enrolled. */
async function enrolled(target: Target, as: Person): Promise<string> {
  const begun = await target.call('POST', '/auth/mfa/totp/enroll', { as, body: {}, headers: await target.stepUp(as) })
  const { secret } = begun.data
  const body = { code: generateSync({ secret }) }
  await target.call('POST', '/auth/mfa/totp/confirm', { as, body, headers: await target.stepUp(as) })
  return secret
}

const openHandles = ({ pid }: Target): number => readdirSync(`/proc/${pid}/fd`).length

/** Sends the beginning of a request by hand. @returns the status, or how the connection ended. */
function drip({ url }: Target, text: string, thenClose: boolean): Promise<string> {
  const { hostname, port, host } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(text.replace('HOST', host))
      if (thenClose) setTimeout(() => socket.destroy(), 20)
    })
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
      if (!answer.includes('\r\n')) return
      resolve(answer.split(' ')[1] ?? '')
      socket.destroy()
    })
    socket.on('close', () => resolve('closed'))
    socket.on('error', () => resolve('cut'))
  })
}

const BEGUN =
  'POST /api/auth/login HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{'

export const FURTHER_ATTACKS: readonly Attack[] = [
  {
    name: 'an archive that is slow to read, beside the upload of another organization',
    expects: 'read or refused, 202 in time',
    async run(target) {
      const as = await target.signUp('stalling')
      const other = await target.signUp('waiting')
      const slow = upload(target, as, 'slow', `FROM ${'${A:+'.repeat(200_000)}`)
      const startedMs = performance.now()
      const status = await upload(target, other, 'quick', 'FROM alpine:3.20\n')
      const tookMs = performance.now() - startedMs
      const isGood = status === 201 || status === 202
      const first = await slow
      return `${first === 400 || first === 202 ? 'read or refused' : first}, ${isGood ? 202 : status} ${tookMs < UPLOAD_MS_MAX ? 'in time' : `after ${tookMs} ms`}`
    },
  },
  {
    name: 'the address of an administrator, registered by somebody else and confirmed by its owner',
    expects: '403 INSUFFICIENT_PERMISSIONS',
    async run(target) {
      // Another attack has taken the address itself, which is one that is listed in any case of its letters.
      const taken = await target.call('POST', '/auth/register', {
        body: { username: 'earlybird', email: BOSS, password: PASSWORD, organizationName: 'Early' },
      })
      const name = taken.status === 201 ? 'earlybird' : 'notboss'
      const token = await target.mailedToken(BOSS, '/verify-email').catch(() => 'none')
      await target.call('POST', '/auth/verify-email', { body: { token } })
      const signedIn = await target.signIn({ name })
      return shown(await target.call('GET', '/admin/users', { as: signedIn.data.accessToken ?? 'none' }))
    },
  },
  {
    name: 'a second factor that a squatter leaves behind',
    expects: '200',
    async run(target) {
      const email = 'mailbox@corp.test'
      const squatter = await target.signUp('lurker', email)
      await enrolled(target, squatter).catch(() => undefined)
      await target.call('POST', '/auth/password/forgot', { body: { email } })
      const body = { token: await target.mailedToken(email, '/reset-password'), password: 'Other-Horse-8' }
      await target.call('POST', '/auth/password/reset', { body })
      return String((await target.signIn({ name: email }, 'Other-Horse-8')).status)
    },
  },
  {
    name: '40 codes of a second factor guessed at once, and 40 confirmations',
    expects: `${FEW_JUDGED}; ${FEW_JUDGED}`,
    async run(target) {
      const as = await confirmedOwner(target, 'twofold')
      await enrolled(target, as)
      const asked = await target.fetch('/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ identifier: as.name, password: PASSWORD }),
      })
      const { details } = (await asked.json()) as { details: { challengeToken: string } }
      const wrong = (n: number) => String(100_000 + n)
      const codes = await guesses((n) =>
        target.call('POST', '/auth/login/mfa', { body: { challengeToken: details.challengeToken, code: wrong(n) } }),
      )
      const stepUps = await guesses((n) =>
        target.call('POST', '/auth/step-up', { as, body: { method: 'totp', code: wrong(n) } }),
      )
      return `${codes}; ${stepUps}`
    },
  },
  {
    name: 'mail to a stranger by addresses that change, with words of an account that is not confirmed',
    expects: 'one mail, 400',
    async run(target) {
      const as = await confirmedOwner(target, 'mailer')
      const stranger = 'stranger@else.test'
      for (let n = 0; n < 12; n++) {
        const email = n % 2 === 0 ? stranger : `mailer${n}@plumbline.test`
        await target.call('PATCH', '/auth/me', { as, body: { email }, headers: await target.stepUp(as) })
      }
      const fresh = await target.signUp('freshman')
      const named = await target.call('PATCH', '/auth/me', {
        as: fresh,
        body: { displayName: 'Security\nYour account was locked. Sign in at https://evil.test' },
      })
      await new Promise((resolve) => setTimeout(resolve, 1000))
      const mails = target.printed().split(`\nTo: ${stranger}\n`).length - 1
      return `${mails === 1 ? 'one mail' : `${mails} mails`}, ${named.status}`
    },
  },
  {
    name: 'HEAD of downloads, many times',
    expects: '200, no handle left',
    async run(target) {
      const as = await target.signUp('header')
      const headers = { authorization: `Bearer ${as.token}` }
      const form = new FormData()
      form.set('file', new File(['a'.repeat(200_000)], 'note.txt', { type: 'text/plain' }))
      const made = await target.fetch('/messages/attachments', { method: 'POST', headers, body: form })
      const { data } = (await made.json()) as { data: { attachment: { id: string } } }
      const before = openHandles(target)
      const statuses = new Set<number>()
      for (let round = 0; round < HEADS / 20; round++) {
        const path = `/messages/attachments/${data.attachment.id}`
        const answers = await many(20, () => target.fetch(path, { method: 'HEAD', headers }))
        for (const { status } of answers) statuses.add(status)
      }
      await new Promise((resolve) => setTimeout(resolve, 500))
      const left = openHandles(target) - before
      return `${[...statuses].join()}, ${left <= HANDLES_MORE_MAX ? 'no handle left' : `${left} handles left`}`
    },
  },
  {
    name: 'names that would speak to a terminal',
    expects: '400, 400, 400, 400',
    async run(target) {
      const as = await target.signUp('speaker')
      const make = (name: string) => target.call('POST', '/organization', { as, body: { name } })
      const rule = { name: 'bell\u0007', target: 'plugin', field: 'version', operator: 'exists' }
      const answers = [
        await make('\u001b]0;pwned\u0007'),
        await make('\u009b31mred'),
        await make('right\u202eleft'),
        await target.call('POST', '/compliance/rules', { as, body: rule }),
      ]
      return answers.map(({ status }) => status).join(', ')
    },
  },
  {
    name: 'a link to a new password that went to the address of before',
    expects: 'moved, refused',
    async run(target) {
      const as = await confirmedOwner(target, 'movesout')
      const email = 'moved@plumbline.test'
      await target.call('POST', '/auth/password/forgot', { body: { email: 'movesout@plumbline.test' } })
      const token = await target.mailedToken('movesout@plumbline.test', '/reset-password')
      await target.call('PATCH', '/auth/me', { as, body: { email }, headers: await target.stepUp(as) })
      const link = await target.mailedToken(email, '/verify-email')
      const moved = await target.call('POST', '/auth/verify-email', { body: { token: link } })
      const { status } = await target.call('POST', '/auth/password/reset', {
        body: { token, password: 'Other-Horse-8' },
      })
      return `${moved.status === 204 ? 'moved' : moved.status}, ${status >= 400 ? 'refused' : status}`
    },
  },
  {
    name: 'who has an account, asked by the link to a new password',
    expects: '202, 202, the same answer',
    async run(target) {
      await target.signUp('asked')
      const ask = async (email: string) => {
        const { status, data } = await target.call('POST', '/auth/password/forgot', { body: { email } })
        return { status, text: JSON.stringify({ ...data, requestId: undefined }) }
      }
      const [one, other] = [await ask('asked@plumbline.test'), await ask('nobody@plumbline.test')]
      return `${one.status}, ${other.status}, ${one.text === other.text ? 'the same answer' : `${one.text} ${other.text}`}`
    },
  },
  {
    name: 'a body that drips in, and bodies that are broken off',
    expects: '408, no error in the log',
    async run(target) {
      const errors = () => target.printed().split('failed unexpectedly').length
      const before = errors()
      const broken = many(100, () => drip(target, BEGUN, true))
      const slow = await drip(target, BEGUN, false)
      await broken
      return `${slow}, ${errors() === before ? 'no error in the log' : `${errors() - before} errors in the log`}`
    },
  },
  {
    name: 'the figures of the process, through a proxy that adds no header',
    expects: 'refused',
    async run(target) {
      const { status } = await fetch(`${target.url}/metrics`, { headers: { via: '1.1 proxy' } })
      return status >= 400 ? 'refused' : String(status)
    },
  },
  {
    name: 'a team handed to a named person by a stolen token',
    expects: '401 STEP_UP_REQUIRED, 401 STEP_UP_REQUIRED',
    async run(target) {
      const as = await confirmedOwner(target, 'holder')
      const other = await target.signUp('grabber')
      const at = `/organization/${as.orgId}/members/${other.id}`
      const answers = [
        await target.call('DELETE', `${at}?teamsTo=${other.id}`, { as }),
        await target.call('PATCH', `${at}/deactivate?teamsTo=${other.id}`, { as }),
      ]
      return answers.map(shown).join(', ')
    },
  },
  {
    name: 'an exemption that is asked for while its record is deleted',
    expects: 'asked and deleted, each time; the record of the same key is judged: 403',
    async run(target) {
      const as = await target.signUp('exempter')
      const synth = { source: { type: 'github', options: { repo: 'acme/app' } }, plugin: { name: 'build' } }
      const body = { project: 'App', organization: 'Acme', props: { synth } }
      const create = () => target.call('POST', '/pipelines', { as, body })
      const rule = { name: 'described', target: 'pipeline', field: 'description', operator: 'notEmpty' }
      for (let round = 0; round < 4; round++) {
        const made = await create()
        const strict = { ...rule, name: `described ${round}`, severity: 'critical' }
        const { data } = await target.call('POST', '/compliance/rules', { as, body: strict })
        const wanted = { ruleId: data.rule.id, entityType: 'pipeline', entityId: made.data.pipeline?.id, reason: 'old' }
        const [asked, gone] = await Promise.all([
          target.call('POST', '/compliance/exemptions', { as, body: wanted }),
          target.call('DELETE', `/pipelines/${wanted.entityId}`, { as }),
        ])
        if (asked.status !== 201 || gone.status !== 200) return `round ${round}: ${shown(made)} ${tally([asked, gone])}`
        const again = await create()
        if (again.status !== 403) return `round ${round}: again ${shown(again)}`
        await target.call('DELETE', `/compliance/rules/${data.rule.id}`, { as })
      }
      return 'asked and deleted, each time; the record of the same key is judged: 403'
    },
  },
]
