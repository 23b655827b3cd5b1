/**
 * The port to models. A model is asked for one answer, whose text arrives in pieces. The implementation behind the port
 * chooses the provider and the wire format. No error of a model contains text that it received or answered.
 */
import type { TSchema } from 'typebox'
import type { Egress } from '../../runtime/egress/egress.js'
import type { ErrorCode } from '../../runtime/errors.js'
import { port } from '../../runtime/port.js'
import type { Settings } from '../../runtime/settings/load.js'
import type { ProviderId } from './providers.js'

export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

export interface Question {
  readonly instructions: string
  readonly turns: readonly Turn[]
  /** The schema of the answer: closed, with every key required. */
  readonly schema: TSchema
  readonly schemaName: string
  readonly outputTokensMax: number
  /** Whether the answer should come in pieces. */
  readonly isStreamed: boolean
  readonly signal: AbortSignal
}

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  /** The model works but sends nothing to show. */
  | { readonly kind: 'busy' }
  /** The end; usage as the provider reports it, or null. */
  | { readonly kind: 'end'; readonly usage: Usage | null }

export interface Model {
  ask(question: Question): AsyncIterable<Piece>
}

export interface Opening {
  readonly provider: ProviderId
  readonly model: string
  /** The key that `keys.ts` chose; empty if the provider needs none. */
  readonly key: string
  readonly settings: Settings
  readonly egress: Egress
}

export type OpenModel = (opening: Opening) => Promise<Model>

/** Replaces the providers in tests. */
export const modelPort = port<OpenModel>('ai model')

/** Why a model gave no complete answer. */
export class ModelFailed extends Error {
  readonly code: Extract<ErrorCode, 'AI_KEY_REJECTED' | 'AI_NOT_CONFIGURED' | 'UPSTREAM_ERROR' | 'UPSTREAM_TIMEOUT'>
  /** Whether another provider may be asked instead. */
  readonly mayFallBack: boolean
  /** Whether the provider may charge for the call, because it started to work on the question. */
  readonly mayCost: boolean

  constructor(
    code: ModelFailed['code'],
    message: string,
    { mayFallBack, mayCost }: { readonly mayFallBack: boolean; readonly mayCost: boolean },
  ) {
    super(message)
    this.name = 'ModelFailed'
    this.code = code
    this.mayFallBack = mayFallBack
    this.mayCost = mayCost
  }
}

export const late = (message: string): ModelFailed =>
  new ModelFailed('UPSTREAM_TIMEOUT', message, { mayFallBack: true, mayCost: true })
export const away = (message: string): ModelFailed =>
  new ModelFailed('UPSTREAM_ERROR', message, { mayFallBack: true, mayCost: false })
export const broken = (message: string): ModelFailed =>
  new ModelFailed('UPSTREAM_ERROR', message, { mayFallBack: true, mayCost: true })

/** The failure for an HTTP error status. */
export function refusedBy(name: string, status: number): ModelFailed {
  if (status === 401 || status === 403) {
    return new ModelFailed('AI_KEY_REJECTED', `${name} refused the key (${status}): set another one`, {
      mayFallBack: false,
      mayCost: false,
    })
  }
  const mayFallBack = status === 408 || status === 409 || status === 429 || status >= 500
  const why =
    status === 429 ? 'has no room for more requests' : status === 404 ? 'does not know the model' : `answered ${status}`
  return new ModelFailed('UPSTREAM_ERROR', `${name} ${why}`, { mayFallBack, mayCost: false })
}
