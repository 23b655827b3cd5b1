/**
 * The pages that e-mails lead to: set a password, confirm or take back an address, answer an invitation. A page changes
 * something only when the person asks for it, because mail programs open links to look at them.
 */
const main = document.querySelector('main')
const api = main.dataset.api
const asked = new URLSearchParams(location.search)
const token = asked.get('token') ?? ''
// What the address holds is secret: it does not stay in the address bar and the history.
if (['token', 'code', 'state', 'ticket'].some((name) => asked.has(name)))
  history.replaceState(null, '', location.pathname)

/** An answer of the API that is no success. */
class Failure extends Error {
  constructor(status, body) {
    super(body?.message ?? `the server answered ${status}`)
    this.status = status
    this.code = body?.code
    this.details = body?.details ?? {}
    this.requestId = body?.requestId
  }
}

async function call(method, path, body, accessToken) {
  let response
  try {
    response = await fetch(api + path, {
      method,
      headers: {
        // A session cookie is given to a page that says that it means it, which no form and no link can say.
        'x-csrf': '1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch {
    throw new Failure(0, { message: 'The server cannot be reached. Check your connection and try again.' })
  }
  const answer = response.status === 204 ? null : await response.json().catch(() => null)
  if (!response.ok) throw new Failure(response.status, answer)
  return answer?.data
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

function field(label, properties) {
  const id = `field-${properties.name}`
  const input = element('input', { id, required: true, ...properties })
  return [element('label', { htmlFor: id }, label), input]
}

const NEW_PASSWORD = { name: 'password', type: 'password', autocomplete: 'new-password', minLength: 8 }
const PASSWORD = { name: 'password', type: 'password', autocomplete: 'current-password' }

/** A form that shows what went wrong and keeps what was typed. */
function form(children, submitLabel, submit) {
  const alert = element('p', { role: 'alert', hidden: true })
  const button = element('button', { type: 'submit' }, submitLabel)
  const made = element('form', {}, ...children, alert, button)
  made.addEventListener('submit', async (event) => {
    event.preventDefault()
    alert.hidden = true
    button.disabled = true
    try {
      await submit(Object.fromEntries(new FormData(made)))
    } catch (error) {
      alert.replaceChildren(...words(error))
      alert.hidden = false
    } finally {
      button.disabled = false
    }
  })
  return made
}

/** What went wrong, what to do, and the id by which an operator finds it. */
function words(error) {
  if (!(error instanceof Failure)) return ['Something went wrong in this page. Load it again.']
  const issues = (error.details.issues ?? []).map(({ path, message }) => `${path.split('/').at(-1)} ${message}`)
  const what = issues.length > 0 ? issues.join('; ') : error.message
  const after = error.requestId === undefined ? '' : ` (request ${error.requestId})`
  return [`${what.charAt(0).toUpperCase()}${what.slice(1)}${/[.!?]$/.test(what) ? '' : '.'}${after}`]
}

function show(...children) {
  const title = main.querySelector('h1')
  main.replaceChildren(title, ...children)
}

const paragraph = (text, className = '') => element('p', { className }, text)
const done = (text) => show(element('p', { className: 'done', role: 'status' }, text))

function needsToken() {
  show(
    paragraph('This address lacks the token of the link. Open the link in the e-mail again, or copy the whole link.'),
  )
}

function resetPassword() {
  show(
    paragraph('Choose a new password. You are signed out everywhere else.'),
    form(field('New password', NEW_PASSWORD), 'Set password', async ({ password }) => {
      await call('POST', '/auth/password/reset', { token, password })
      done('The password is set. Sign in with it.')
    }),
  )
}

function verifyEmail() {
  show(
    paragraph('Confirm that this e-mail address is yours.'),
    form([], 'Confirm address', async () => {
      await call('POST', '/auth/verify-email', { token })
      done('The address is confirmed.')
    }),
  )
}

function restoreEmail() {
  show(
    paragraph(
      'The e-mail address of your account was changed. If that was not you, take the account back to this address.',
    ),
    form([], 'Take the address back', async () => {
      await call('POST', '/auth/email/restore', { token })
      done('The address is yours again, and every session has ended. Now set a new password: ask for a reset link.')
    }),
  )
}

async function acceptInvitation() {
  const { organization, role, email, status, expiresAt } = await call('GET', `/invitation/${encodeURIComponent(token)}`)
  if (status !== 'pending') {
    show(paragraph(`This invitation of ${organization.name} is ${status}. Ask who invited you for a new one.`))
    return
  }
  const accepted = () => done(`You are a member of ${organization.name}. Sign in to work there.`)
  const signedIn = async ({ accessToken }) => {
    await call('POST', '/invitation/accept', { token }, accessToken)
    accepted()
  }
  const decline = element('button', { type: 'button', className: 'plain' }, 'Decline the invitation')
  decline.addEventListener('click', async () => {
    try {
      await call('POST', '/invitation/decline', { token })
      done('The invitation is declined.')
    } catch (error) {
      show(element('p', { role: 'alert' }, ...words(error)))
    }
  })
  show(
    paragraph(`${organization.name} invites ${email} as ${role === 'admin' ? 'an administrator' : 'a member'}.`),
    paragraph(`The invitation ends on ${new Date(expiresAt).toLocaleString()}.`, 'muted'),
    element('h2', {}, 'You have an account'),
    form(
      [
        ...field('User name or e-mail address', { name: 'identifier', autocomplete: 'username' }),
        ...field('Password', PASSWORD),
      ],
      'Sign in and accept',
      async (given) => {
        try {
          await signedIn(await call('POST', '/auth/login', given))
        } catch (error) {
          const { challengeToken } = error.details ?? {}
          if (error.code !== 'MFA_REQUIRED' || challengeToken === undefined) throw error
          show(
            form(
              field('Code of your second factor', {
                name: 'code',
                autocomplete: 'one-time-code',
                inputMode: 'numeric',
              }),
              'Accept',
              async ({ code }) => signedIn(await call('POST', '/auth/login/mfa', { challengeToken, code })),
            ),
          )
        }
      },
    ),
    element('h2', {}, 'You are new here'),
    form(
      [...field('User name', { name: 'username', autocomplete: 'username' }), ...field('Password', NEW_PASSWORD)],
      'Create an account and accept',
      async (given) => {
        await call('POST', '/invitation/accept-new', { token, ...given })
        accepted()
      },
    ),
    ...(await socialButtons((id) => call('POST', `/auth/oauth/${id}/url`, { kind: 'invitation', token }))),
    decline,
  )
}

/** To the identity provider: for a program that waits, or for a person who names an organization. */
async function startSignOn() {
  const ticket = asked.get('ticket')
  const go = async (path, body) => location.assign((await call('POST', path, body)).url)
  if (ticket !== null) return go('/auth/sso/start', { ticket })
  const begin = (org) =>
    go(`/auth/sso/${encodeURIComponent(org)}/authorize`, { returnTo: asked.get('returnTo') ?? '/' })
  const named = asked.get('org')
  if (named !== null && named !== '') return begin(named)
  show(
    paragraph('Sign in by the identity provider of your organization.'),
    form(field('Organization', { name: 'org', autocomplete: 'organization' }), 'Go on', ({ org }) => begin(org.trim())),
  )
}

/** Back from the identity provider: the server looks at what it says. */
async function completeSignOn() {
  const idpId = location.pathname.split('/').at(-1) ?? ''
  const names = ['state', 'code', 'iss', 'error'].filter((name) => asked.has(name))
  const body = Object.fromEntries(names.map((name) => [name, asked.get(name)]))
  signedOn(await call('POST', `/auth/sso/${encodeURIComponent(idpId)}/callback?cookie=session`, body))
}

async function confirmSignOn() {
  show(
    paragraph('Join the organization that you signed in to. Its members see you among them.'),
    form([], 'Join', async () => signedOn(await call('POST', '/auth/sso/confirm?cookie=session', { token }))),
  )
}

/** To the provider of a social account: for a program that waits, or for a person who chooses one. */
async function startSocial() {
  const ticket = asked.get('ticket')
  if (ticket !== null) return location.assign((await call('POST', '/auth/oauth/start', { ticket })).url)
  const returnTo = asked.get('returnTo') ?? '/'
  show(
    paragraph('Sign in by an account that you have elsewhere.'),
    ...(await socialButtons((id) => call('POST', `/auth/oauth/${id}/url`, { returnTo }))),
  )
}

/** A button for each provider that is set up here. */
async function socialButtons(begin) {
  const { providers } = await call('GET', '/auth/oauth/providers')
  return providers.map(({ id, name }) =>
    form([], `Continue with ${name}`, async () => location.assign((await begin(encodeURIComponent(id))).url)),
  )
}

/** Back from the provider of a social account. */
async function completeSocial() {
  const provider = location.pathname.split('/').at(-1) ?? ''
  const names = ['state', 'code', 'iss', 'error'].filter((name) => asked.has(name))
  const body = Object.fromEntries(names.map((name) => [name, asked.get(name)]))
  try {
    const answer = await call('POST', `/auth/oauth/${encodeURIComponent(provider)}/callback?cookie=session`, body)
    if (answer.kind !== 'invitation') return signedOn(answer)
    await call('POST', '/invitation/accept-oauth?cookie=session', { ...body, provider })
    location.assign('/')
  } catch (error) {
    const { challengeToken } = error.details ?? {}
    if (error.code !== 'MFA_REQUIRED' || challengeToken === undefined) throw error
    show(
      form(
        field('Code of your second factor', { name: 'code', autocomplete: 'one-time-code', inputMode: 'numeric' }),
        'Sign in',
        async ({ code }) => {
          await call('POST', '/auth/login/mfa?cookie=session', { challengeToken, code })
          location.assign('/')
        },
      ),
    )
  }
}

function signedOn(answer) {
  if (['session', 'attached', 'linked'].includes(answer.kind)) location.assign(answer.returnTo)
  else if (answer.kind === 'program') location.assign(answer.location)
  else if (answer.kind === 'confirm') done('Open the link that we sent to your address, in this browser.')
  else if (answer.kind === 'step-up') {
    // Behind the hash it stays in the browser.
    location.assign(`${answer.returnTo}#step-up=${answer.stepUpToken}`)
  } else {
    const what = answer.wouldBe === 'refused' ? `refused (${answer.reason})` : answer.wouldBe
    const rows = Object.entries(answer.claims).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    show(
      element(
        'p',
        { className: 'done', role: 'status' },
        `The test worked. With these claims the person would be ${what}.`,
      ),
      ...rows.map((row) => paragraph(row)),
    )
  }
}

const PAGES = {
  'sso-start': startSignOn,
  'sso-callback': completeSignOn,
  'sso-confirm': confirmSignOn,
  'social-start': startSocial,
  'social-callback': completeSocial,
  'reset-password': resetPassword,
  'verify-email': verifyEmail,
  'restore-email': restoreEmail,
  'invite-accept': acceptInvitation,
}

/** They carry something else, or nothing. */
const WITHOUT_TOKEN = ['sso-start', 'sso-callback', 'social-start', 'social-callback']

const page = PAGES[main.dataset.page]
if (page !== undefined) {
  if (token === '' && !WITHOUT_TOKEN.includes(main.dataset.page)) needsToken()
  else {
    try {
      await page()
    } catch (error) {
      show(element('p', { role: 'alert' }, ...words(error)))
    }
  }
}
