/**
 * What is wrong with what a provider publishes, said to the person who sets it up: the value, and what to do about it.
 * A sign-in says only that the provider does not answer. No text of the provider is repeated.
 */
import type { CustomFetch } from 'openid-client'
import { EgressFailed } from '../../runtime/egress/egress.js'
import { readTarget } from '../../runtime/egress/target.js'
import { Refusal } from '../../runtime/errors.js'

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

const VOUCH = 'the operator of the server can allow its origin in IDP_ALLOWED_ORIGINS'
const COMPARE = 'compare `issuer` with the address that the provider shows'

/** What `readTarget` says, with the way out where the operator has one. */
export const withWayOut = (said: string): string =>
  said.includes('not public') || said.includes('https://') ? `${said}; ${VOUCH}` : said

export interface Looking {
  readonly fetching: CustomFetch
  readonly allowedOrigins: readonly string[]
}

/** @throws Refusal `PROVIDER_UNAVAILABLE` that names the value and the way out. */
export async function checkMetadata(issuer: string, { fetching, allowedOrigins }: Looking): Promise<void> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const metadata = await jsonAt(address, 'issuer', fetching)
  const { issuer: published } = metadata
  if (published === undefined) throw fault('issuer', `${address} names no \`issuer\`: the provider must publish it`)
  if (!isSame(published, issuer)) {
    throw fault('issuer', `${address} is of another issuer: set \`issuer\` to the value that stands there`)
  }
  for (const field of ENDPOINTS) {
    const endpoint = metadata[field]
    if (typeof endpoint !== 'string')
      throw fault(field, `${address} names no \`${field}\`: the provider must publish it`)
    const target = readTarget(endpoint, allowedOrigins)
    if (typeof target === 'string') throw fault(field, `\`${field}\` of ${address} ${withWayOut(target)}`)
  }
  const keys = await jsonAt(String(metadata['jwks_uri']), 'jwks_uri', fetching)
  if (!Array.isArray(keys['keys'])) throw fault('jwks_uri', `\`jwks_uri\` of ${address} leads to no keys`)
}

const fault = (field: string, message: string, cause?: unknown): Refusal =>
  new Refusal('PROVIDER_UNAVAILABLE', message, { details: { field }, cause })

const isSame = (published: unknown, issuer: string): boolean =>
  typeof published === 'string' && URL.canParse(published) && new URL(published).href === new URL(issuer).href

async function jsonAt(address: string, field: string, fetching: CustomFetch): Promise<Record<string, unknown>> {
  const answer = await answerOf(address, field, fetching)
  const value: unknown = await answer.json().catch(() => null)
  if (answer.status !== 200) throw fault(field, `${address} answers with status ${answer.status}: ${COMPARE}`)
  if (typeof value !== 'object' || value === null) {
    throw fault(field, `${address} does not answer with the metadata of a provider: ${COMPARE}`)
  }
  return value as Record<string, unknown>
}

async function answerOf(address: string, field: string, fetching: CustomFetch): Promise<Response> {
  try {
    const headers = { accept: 'application/json' }
    return await fetching(address, { method: 'GET', headers, body: undefined, redirect: 'manual' })
  } catch (error) {
    throw fault(field, `${address} ${saidOf(error)}`, error)
  }
}

function saidOf(error: unknown): string {
  const kind = error instanceof EgressFailed ? error.kind : 'failed'
  if (kind === 'refused') return `has an address that is not public; ${VOUCH}`
  if (kind === 'redirect') return 'redirects, and the server follows no redirect: set `issuer` to where it leads'
  return `does not answer: ${COMPARE}, and make sure that the server reaches it`
}
