/** `plumbline login` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode, type Invocation, type Io, UsageError } from '../command.js'
import { text } from '../program/invocation.js'
import { note } from '../program/note.js'
import { ask } from './ask.js'
import {
  type Credentials,
  credentialsFile,
  DEFAULT_URL,
  namedServer,
  type SignedInBy,
  writeCredentials,
} from './credentials.js'
import { signInByOrganization, signInByProvider } from './login-browser.js'
import { type Tokens, withSecondFactor } from './second-factor.js'
import { anonymousClient, telling } from './session.js'

export const run: CommandRun = async (invocation, io) => {
  const url = namedServer(invocation, io) ?? DEFAULT_URL
  const organization = text(invocation, 'org')
  const more = organization === undefined ? {} : { organization }
  const credentials: Credentials =
    invocation.options.token === true
      ? { url, token: await personalToken(io), ...more }
      : { ...kept(url, io, await signIn(url, invocation, io)), ...more, ...elsewhere(invocation) }
  await telling(() => unwrap(clientWith(credentials).GET('/auth/me')))
  const file = credentialsFile(io)
  writeCredentials(file, credentials, { isSignIn: true })
  await note(invocation, io, `signed in to ${url}; kept in ${file}\n`)
  return ExitCode.clean
}

const clientWith = (credentials: Credentials) => {
  const client = anonymousClient(credentials.url)
  client.use({
    onRequest({ request }) {
      request.headers.set('authorization', `Bearer ${credentials.token}`)
      return request
    },
  })
  return client
}

async function personalToken(io: Io): Promise<string> {
  const token = (await ask(io, 'Personal access token: ', { secret: true })).trim()
  if (!token.startsWith('plp_')) {
    throw new UsageError(
      'that is not a personal access token',
      'it begins with plp_; `plumbline tokens create` makes one',
    )
  }
  return token
}

function elsewhere(invocation: Invocation): { readonly signedInBy?: SignedInBy } {
  const [sso, social] = [text(invocation, 'sso'), text(invocation, 'provider')]
  const opensBrowser = invocation.options['browser'] !== false
  if (sso !== undefined) return { signedInBy: { way: 'sso', at: sso, opensBrowser } }
  return social === undefined ? {} : { signedInBy: { way: 'social', at: social, opensBrowser } }
}

function signIn(url: string, invocation: Invocation, io: Io): Promise<Tokens> {
  const { signedInBy } = elsewhere(invocation)
  if (signedInBy === undefined) return signInByPassword(url, invocation, io)
  const { way, at, opensBrowser } = signedInBy
  return way === 'sso'
    ? signInByOrganization(url, at, { io, opensBrowser })
    : signInByProvider(url, at, { io, opensBrowser })
}

async function signInByPassword(url: string, invocation: Invocation, io: Io): Promise<Tokens> {
  const identifier = text(invocation, 'user') ?? (await ask(io, 'Username or e-mail: '))
  const password = await ask(io, 'Password: ', { secret: true })
  const client = anonymousClient(url)
  const first = () => unwrap(client.POST('/auth/login', { body: { identifier, password } }))
  return telling(() => withSecondFactor(client, io, first))
}

function kept(url: string, io: Io, tokens: Tokens): Credentials {
  const { accessToken, refreshToken, expiresIn } = tokens
  if (accessToken === undefined || refreshToken === undefined || expiresIn === undefined) {
    throw new UsageError('the answer of the server holds no tokens')
  }
  return { url, token: accessToken, refreshToken, expiresAtMs: io.now().getTime() + expiresIn * 1000 }
}
