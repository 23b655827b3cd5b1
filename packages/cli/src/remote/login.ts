/** `plumbline login` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { text } from '../program/invocation.js'
import { write } from '../program/write.js'
import { ask } from './ask.js'
import { type Credentials, credentialsFile, DEFAULT_URL, namedServer, writeCredentials } from './credentials.js'
import { signInByOrganization } from './login-browser.js'
import { anonymousClient, telling } from './session.js'

export const run: CommandRun = async (invocation, io) => {
  const url = namedServer(invocation, io) ?? DEFAULT_URL
  const organization = text(invocation, 'org')
  const more = organization === undefined ? {} : { organization }
  const credentials: Credentials =
    invocation.options.token === true
      ? { url, token: await personalToken(io), ...more }
      : { ...kept(url, io, await signIn(url, invocation, io)), ...more }
  await telling(() => unwrap(clientWith(credentials).GET('/auth/me')))
  const file = credentialsFile(io)
  writeCredentials(file, credentials, { isSignIn: true })
  await write(io.stderr, `signed in to ${url}; kept in ${file}\n`)
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

async function personalToken(io: Parameters<CommandRun>[1]): Promise<string> {
  const token = (await ask(io, 'Personal access token: ', { secret: true })).trim()
  if (!token.startsWith('plp_')) {
    throw new UsageError(
      'that is not a personal access token',
      'it begins with plp_; `plumbline tokens create` makes one',
    )
  }
  return token
}

type Tokens = Awaited<ReturnType<typeof signInByOrganization>>

function signIn(url: string, invocation: Parameters<CommandRun>[0], io: Parameters<CommandRun>[1]): Promise<Tokens> {
  const organization = text(invocation, 'sso')
  return organization === undefined
    ? signInByPassword(url, invocation, io)
    : signInByOrganization(url, organization, invocation, io)
}

async function signInByPassword(
  url: string,
  invocation: Parameters<CommandRun>[0],
  io: Parameters<CommandRun>[1],
): Promise<Tokens> {
  const identifier = text(invocation, 'user') ?? (await ask(io, 'Username or e-mail: '))
  const password = await ask(io, 'Password: ', { secret: true })
  const client = anonymousClient(url)
  const first = await client.POST('/auth/login', { body: { identifier, password } })
  const challenge = challengeOf(first.error)
  return telling(async () =>
    challenge === null
      ? unwrap(Promise.resolve(first))
      : unwrap(
          client.POST('/auth/login/mfa', {
            body: { challengeToken: challenge, code: (await ask(io, 'Code of your second factor: ')).trim() },
          }),
        ),
  )
}

function kept(url: string, io: Parameters<CommandRun>[1], tokens: Tokens): Credentials {
  const { accessToken, refreshToken, expiresIn } = tokens
  if (accessToken === undefined || refreshToken === undefined || expiresIn === undefined) {
    throw new UsageError('the server kept the tokens to itself')
  }
  return { url, token: accessToken, refreshToken, expiresAtMs: io.now().getTime() + expiresIn * 1000 }
}

/** The token that goes with the code of a second factor, when the server asks for one. */
function challengeOf(error: unknown): string | null {
  const body = error as { code?: string; details?: { challengeToken?: string } } | undefined
  return body?.code === 'MFA_REQUIRED' ? (body.details?.challengeToken ?? null) : null
}
