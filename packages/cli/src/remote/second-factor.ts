/** Asks for the code of the second factor if the server requires one. */
import { ApiError, type PlumblineClient, unwrap } from '@plumbline/client'
import type { Io } from '../command.js'
import { ask } from './ask.js'

export interface Tokens {
  readonly accessToken?: string
  readonly refreshToken?: string
  readonly expiresIn?: number
}

export async function withSecondFactor(client: PlumblineClient, io: Io, first: () => Promise<Tokens>): Promise<Tokens> {
  try {
    return await first()
  } catch (error) {
    const challengeToken =
      error instanceof ApiError && error.code === 'MFA_REQUIRED' ? error.details.challengeToken : null
    if (typeof challengeToken !== 'string') throw error
    const code = (await ask(io, 'Code of your second factor: ')).trim()
    return unwrap(client.POST('/auth/login/mfa', { body: { challengeToken, code } }))
  }
}
