/** Access to the demo: a token for API calls, and a link that signs a browser in once. The terminal shows both once. */
import type { Runtime } from '../../runtime/operation/context.js'
import { issueOneTimeToken, SIGN_IN_LINK_SECONDS } from '../credential/one-time-tokens.js'
import { issuePersonalToken } from '../pat/issue.js'
import { auditor, type Demo, type DemoUsername } from './create.js'

const TOKEN_DAYS = 30

/** Keys that are shown once and cannot be read again. */
export interface DemoKeys {
  /** A personal access token of `demo-owner`. */
  readonly token: string
  readonly tokenDays: number
  /** Signs `demo-owner` in, once. */
  readonly linkToken: string
  readonly linkMinutes: number
}

export async function openDemo(runtime: Runtime, demo: Demo): Promise<DemoKeys> {
  const userId = demo.people['demo-owner']
  const token = await issueDemoToken(runtime, demo, {
    username: 'demo-owner',
    name: 'first start',
    seconds: TOKEN_DAYS * 86_400,
  })
  const linkToken = await runtime.store.system.write((tx) =>
    issueOneTimeToken(tx, 'sign-in', { userId, email: null, nowMs: runtime.clock.now() }),
  )
  return { token, tokenDays: TOKEN_DAYS, linkToken, linkMinutes: SIGN_IN_LINK_SECONDS / 60 }
}

interface Wanted {
  readonly username: DemoUsername
  readonly name: string
  readonly seconds: number
}

/** A personal access token of one of the demo's people, in its organization. */
export const issueDemoToken = (
  runtime: Runtime,
  { organization, people }: Demo,
  { username, name, seconds }: Wanted,
): Promise<string> =>
  runtime.store.system.write(async (tx) => {
    const { token, row } = await issuePersonalToken(tx, runtime, {
      orgId: organization.id,
      userId: people[username],
      name,
      expiresInSeconds: seconds,
      permissions: null,
    })
    await auditor(tx, runtime)('user.token.create', {
      orgId: organization.id,
      targetType: 'personal-access-token',
      targetId: row.id,
      details: { id: row.id, name, reason: 'demo' },
    })
    return token
  })
