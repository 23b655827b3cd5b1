/** A step-up for a program: the browser takes a grant to the program, which exchanges it for the step-up token. */
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { newSecrets } from '../flow/begin.js'
import { insertSocialFlow } from '../social/flow.js'

interface Confirmed {
  readonly userId: string
  readonly sessionId: string
  readonly action: string | null
  /** The provider that confirmed: the id of a social provider, or of the identity provider. */
  readonly provider: string
  readonly loopback: string
  readonly challenge: string | null
}

/** @returns the address to which the browser goes. The grant in it is useless without the verifier and the session. */
export async function handOver(tx: Tx, runtime: Runtime, confirmed: Confirmed): Promise<string> {
  const secrets = newSecrets()
  const { userId, sessionId, action, provider, loopback, challenge } = confirmed
  await insertSocialFlow(tx, runtime, secrets, {
    kind: 'confirmation',
    provider,
    boundHash: challenge ?? '',
    userId,
    sessionId,
    action,
  })
  return `${loopback}?grant=${encodeURIComponent(secrets.state)}`
}
