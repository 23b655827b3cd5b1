/** The generation of one draft: the events so far, and the result. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { type components, useOrganization } from '../../data/api.js'
import { ask, type StreamEvent } from '../../data/stream.js'

export type Kind = 'pipeline' | 'plugin' | 'repository'

interface Model {
  readonly provider: string
  readonly model: string
}

export interface Draft {
  readonly body: Readonly<Record<string, unknown>>
  readonly action: 'create' | 'update' | null
  readonly servedBy: Model
  readonly usage: components['schemas']['Usage']
  readonly costMicroUsd: number
  readonly rounds: number
  readonly compliance: components['schemas']['Compliance']
  readonly suspicious: readonly components['schemas']['Suspicious'][]
  readonly copied: readonly components['schemas']['Copied'][]
}

interface Analyzed {
  readonly ref: string
  readonly projectType: string
  readonly languages: readonly string[]
  readonly packageManager: string | null
  readonly tools: readonly string[]
  readonly licence: string | null
  readonly isCut: boolean
}

/** Events of the server, except `partial` and `progress`: they are frequent, so only the newest of each is kept. */
export type Told =
  | { readonly type: 'start'; readonly servedBy: Model }
  | { readonly type: 'fallback'; readonly from: Model; readonly to: Model }
  | { readonly type: 'repair'; readonly round: number; readonly faults: readonly { path: string; message: string }[] }
  | { readonly type: 'plugins'; readonly missing: readonly { name: string; nearest?: readonly string[] }[] }
  | { readonly type: 'analyzing'; readonly owner: string; readonly repo: string; readonly files: number }
  | ({ readonly type: 'analyzed' } & Analyzed)

export interface Generation {
  readonly isRunning: boolean
  readonly isStopped: boolean
  readonly told: readonly Told[]
  readonly characters: number
  readonly partial: unknown
  readonly draft: Draft | null
  /** A refusal before the generation began, or the error that ended it. */
  readonly error: Error | { readonly code: string; readonly message: string } | null
}

const NOTHING: Generation = {
  isRunning: false,
  isStopped: false,
  told: [],
  characters: 0,
  partial: null,
  draft: null,
  error: null,
}

const TOLD = ['start', 'fallback', 'repair', 'plugins', 'analyzing', 'analyzed']

export function after(now: Generation, { event, data }: StreamEvent): Generation {
  const said = data as Record<string, unknown>
  if (event === 'progress') return { ...now, characters: Number(said['characters'] ?? 0) }
  if (event === 'partial') return { ...now, partial: said['data'] }
  if (event === 'done') return { ...now, draft: said['data'] as Draft, isRunning: false }
  if (event === 'error')
    return { ...now, error: { code: String(said['code']), message: String(said['message']) }, isRunning: false }
  return TOLD.includes(event) ? { ...now, told: [...now.told, said as unknown as Told] } : now
}

const PATHS = {
  pipeline: '/pipelines/generate/stream',
  plugin: '/plugins/generate/stream',
  repository: '/pipelines/generate/from-url/stream',
} as const

export function useGeneration() {
  const organization = useOrganization()
  const [state, setState] = useState(NOTHING)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const begin = useCallback(
    async (kind: Kind, body: object) => {
      running.current?.abort()
      const stop = new AbortController()
      running.current = stop
      setState({ ...NOTHING, isRunning: true })
      const end = (patch: Partial<Generation>) =>
        running.current === stop && setState((now) => ({ ...now, ...patch, isRunning: false }))
      try {
        const onEvent = (event: StreamEvent) => {
          if (running.current === stop) setState((now) => after(now, event))
        }
        await ask({ organization, path: PATHS[kind], body, signal: stop.signal, onEvent })
        end({})
      } catch (error) {
        end(stop.signal.aborted ? { isStopped: true } : { error: error as Error })
      }
    },
    [organization],
  )
  const cancel = useCallback(() => running.current?.abort(), [])
  return { state, begin, cancel }
}
