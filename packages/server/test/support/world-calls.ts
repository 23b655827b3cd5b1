/** Sends requests of the people in the world of a proof to the whole app. */

import { credential, send } from '../../proof/requests/call.js'
import { PASSWORD, type ProofPrincipal, type World } from '../../proof/world/model.js'
import type { App } from '../../src/app.js'

export interface WorldAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is known where it is read
  readonly data: any
  readonly text: string
}

export type WorldCall = (
  method: string,
  target: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<WorldAnswer>

/**
 * The caller is a principal of the first organization, or one without an organization. Requests are about the first
 * organization unless a header says otherwise.
 */
export function worldCalls({ organizations, principals }: World, app: App, kind: ProofPrincipal['kind']): WorldCall {
  const [home] = organizations
  const caller = principals.find((each) => each.kind === kind && (each.home === 0 || each.home === null))
  if (home === undefined || caller === undefined) throw new Error(`the world has no ${kind}`)
  const own = { ...credential(caller), 'x-org-id': home.id, 'content-type': 'application/json' }
  return async (method, target, body, headers = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const { status, text } = await send(app, { method, target, headers: { ...own, ...headers }, ...sent })
    const read = text.startsWith('{') ? JSON.parse(text) : {}
    return { status, data: read.data ?? read, text }
  }
}

/** The header of a confirmation by password. */
export async function confirmed(call: WorldCall): Promise<Readonly<Record<string, string>>> {
  const { data } = await call('POST', '/auth/step-up', { method: 'password', password: PASSWORD })
  return { 'x-step-up-token': data.stepUpToken }
}
