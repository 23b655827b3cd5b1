/**
 * Confirms the identity of the person again when the server requires it. It uses their way of signing in, because they
 * may have no password.
 */
import { ApiError, unwrap } from '@plumbline/client'
import type { Io } from '../command.js'
import { ask } from './ask.js'
import { byBrowser, type Way } from './login-browser.js'
import type { Session } from './session.js'

/** The value of `x-step-up-token`, good for one request. */
export async function stepUp(session: Session, io: Io): Promise<string> {
  const { signedInBy, client } = session
  if (signedInBy === null) return byPassword(session, io)
  const { way, at, opensBrowser } = signedInBy
  const shown = { io, opensBrowser }
  if (way === 'sso') return byBrowser(atOrganization(session, at), shown)
  const { links } = await unwrap(client.GET('/auth/me/links'))
  for (const provider of new Set([at, ...links.map((link) => link.provider)])) {
    try {
      return await byBrowser(atProvider(session, provider), shown)
    } catch (error) {
      // This provider does not ask the person to sign in again. Another linked provider or the second factor may work.
      if (!(error instanceof CannotConfirm)) throw error
    }
  }
  const { user } = await unwrap(client.GET('/auth/me'))
  return user.mfaEnabled ? byCode(session, io) : byPassword(session, io)
}

class CannotConfirm extends Error {}

async function byPassword({ client }: Session, io: Io): Promise<string> {
  const password = await ask(io, 'Password, to confirm: ', { secret: true })
  const { stepUpToken } = await unwrap(client.POST('/auth/step-up', { body: { method: 'password', password } }))
  return stepUpToken
}

async function byCode({ client }: Session, io: Io): Promise<string> {
  const code = (await ask(io, 'Code of your second factor, to confirm: ')).trim()
  const { stepUpToken } = await unwrap(client.POST('/auth/step-up', { body: { method: 'totp', code } }))
  return stepUpToken
}

const taken = ({ client }: Session): Pick<Way<string>, 'exchange'> => ({
  exchange: async (body) => (await unwrap(client.POST('/auth/step-up/exchange', { body }))).stepUpToken,
})

const atOrganization = (session: Session, orgId: string): Way<string> => ({
  begin: (program) =>
    unwrap(
      session.client.POST('/auth/sso/{orgId}/attach', {
        params: { path: { orgId } },
        body: { kind: 'step-up', ...program },
      }),
    ),
  ...taken(session),
})

const atProvider = (session: Session, provider: string): Way<string> => ({
  async begin(program) {
    try {
      const params = { path: { provider } }
      return await unwrap(session.client.POST('/auth/oauth/{provider}/step-up', { params, body: program }))
    } catch (error) {
      throw error instanceof ApiError && error.code === 'CONFLICT' ? new CannotConfirm() : error
    }
  },
  ...taken(session),
})

/** Sends a request. If the server requires a confirmation, asks for it and sends the request once more. */
export async function confirming<T>(
  session: Session,
  io: Io,
  send: (headers: { 'x-step-up-token'?: string }) => Promise<T>,
): Promise<T> {
  try {
    return await send({})
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'STEP_UP_REQUIRED') throw error
    return send({ 'x-step-up-token': await stepUp(session, io) })
  }
}
