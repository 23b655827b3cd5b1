/**
 * The port to models. A model is asked for one answer, whose text comes in pieces; who serves it, and by which wire, is the
 * matter of what opens it. No error of a model holds anything that it said or was sent.
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
  /** Closed, every key required: what the answer should fit. */
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
  /** The model works and says nothing that is shown. */
  | { readonly kind: 'busy' }
  /** The end; usage as the provider tells it, null where it tells none. */
  | { readonly kind: 'end'; readonly usage: Usage | null }

export interface Model {
  ask(question: Question): AsyncIterable<Piece>
}

export interface Opening {
  readonly provider: ProviderId
  readonly model: string
  /** As `keys.ts` reads it; empty where the provider needs none. */
  readonly key: string
  readonly settings: Settings
  readonly egress: Egress
}

export type OpenModel = (opening: Opening) => Promise<Model>

/** In the place of providers, where a test provides it. */
export const modelPort = port<OpenModel>('ai model')

/** Why a model gave no whole answer. */
export class ModelFailed extends Error {
  readonly code: Extract<ErrorCode, 'AI_KEY_REJECTED' | 'AI_NOT_CONFIGURED' | 'UPSTREAM_ERROR' | 'UPSTREAM_TIMEOUT'>
  /** Whether another provider may be asked in its place. */
  readonly mayFallBack: boolean
  /** Whether the provider may charge for it: it began to work on the question. */
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

/** By the status of an answer that is not one. */
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
