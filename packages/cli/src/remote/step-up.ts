/** Confirms again who is at the keyboard, for what the server asks it for. */
import { ApiError, unwrap } from '@plumbline/client'
import type { Io } from '../command.js'
import { ask } from './ask.js'
import type { Session } from './session.js'

/** The value of `x-step-up-token`, good for one request. */
export async function stepUp({ client }: Session, io: Io): Promise<string> {
  const password = await ask(io, 'Password, to confirm: ', { secret: true })
  const { stepUpToken } = await unwrap(client.POST('/auth/step-up', { body: { method: 'password', password } }))
  return stepUpToken
}

/** Sends a request, and once more with a confirmation when the server asks for one. */
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
