/** Confirms again who is at the keyboard, for what the server asks it for. */
import { unwrap } from '@plumbline/client'
import type { Io } from '../command.js'
import { ask } from './ask.js'
import type { Session } from './session.js'

/** The value of `x-step-up-token`, good for one request. */
export async function stepUp({ client }: Session, io: Io): Promise<string> {
  const password = await ask(io, 'Password, to confirm: ', { secret: true })
  const { stepUpToken } = await unwrap(client.POST('/auth/step-up', { body: { method: 'password', password } }))
  return stepUpToken
}
