/**
 * Hooks that read from and write to the API. Only reads are retried. A write keeps its Idempotency-Key while its input
 * stays the same and no definite answer has come.
 */
import { ApiError, type PlumblineClient, unwrap } from '@plumbline/client'
import {
  keepPreviousData,
  notifyManager,
  type Query,
  QueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { createContext, useCallback, useContext, useState, useSyncExternalStore } from 'react'
import { notify } from '../ui/toast.js'
import { apiFor, type Transport } from './client.js'
import { createIntention } from './intention.js'

export type { components, operations } from '@plumbline/client'

type Answer = { data?: unknown; error?: unknown; response: Response }
/** The JSON type of an answer that has several formats, such as a page or a PDF. */
type JsonOf<B> = B extends string ? never : B extends { data?: infer D } ? D : undefined
type Data<A extends Answer> = [NonNullable<A['data']>] extends [never] ? undefined : JsonOf<NonNullable<A['data']>>
const dataOf = <A extends Answer>(answer: Promise<A>) => unwrap(answer) as Promise<Data<A>>

/** The organization in the address; null on pages before the sign-in. */
export const OrganizationContext = createContext<string | null>(null)
export const useOrganization = (): string => useContext(OrganizationContext) ?? ''

const RETRIES = 3
const canRepeat = (error: Error) => !(error instanceof ApiError) || error.status === 429 || error.status >= 502

function waitMs(attempt: number, error: Error): number {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : null
  const base = asked === null ? 500 * 2 ** attempt : Math.min(asked, 30) * 1000
  return base * (1 + Math.random() / 2)
}

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // What the browser says about the network is not asked: only a request shows whether the server answers.
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 10_000,
        retry: (count, error) =>
          count < RETRIES && canRepeat(error) && !(error instanceof ApiError && (error.retryAfterSeconds ?? 0) > 30),
        retryDelay: waitMs,
      },
      // A change that waits for the network would be sent later, when nobody expects it.
      mutations: { networkMode: 'always', retry: false },
    },
  })

interface ReadOptions {
  enabled?: boolean
  /** Whether to show the old rows while new ones load. */
  keep?: boolean
  everyMs?: number | false
  /** For a read whose failure no part of the page shows by itself: the page shows it. */
  aside?: boolean
}

export function useRead<A extends Answer>(
  key: QueryKey,
  read: (api: PlumblineClient, signal: AbortSignal) => Promise<A>,
  { enabled = true, keep = false, everyMs = false, aside = false }: ReadOptions = {},
): UseQueryResult<Data<A>, Error> {
  const organization = useContext(OrganizationContext)
  return useQuery<Data<A>, Error>({
    queryKey: [organization, ...key],
    queryFn: ({ signal }) => dataOf(read(apiFor(organization), signal)),
    enabled,
    refetchInterval: everyMs,
    meta: { aside },
    ...(keep ? { placeholderData: keepPreviousData as never } : {}),
  })
}

/** A read of this page that failed, and whose failure no part of the page shows. */
export function useFailedAside(): Query | undefined {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback((tell: () => void) => cache.subscribe(notifyManager.batchCalls(tell)), [cache])
  return useSyncExternalStore(subscribe, () => cache.getAll().find(isFailedAside))
}

const isFailedAside = (query: Query): boolean => {
  const { error } = query.state
  return query.meta?.['aside'] === true && query.isActive() && error !== null && !isGone(error)
}

/** Whether the record does not exist, or the person may not read it: to try again changes nothing. */
export const isGone = (error: Error | null): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 403)

interface WriteOptions<V, D> {
  /** First parts of the keys of reads that this change makes stale. By default all reads of the organization. */
  stale?: readonly string[]
  done?: string | ((data: D, input: V) => string)
  onDone?: (data: D, input: V) => void
  /** The ETag of the record that the person saw. The server refuses the change if the record has changed since. */
  ifMatch?: (input: V) => string | null
  /** Sends the request in place of `fetch`. */
  transport?: (input: V) => Transport
}

export function useWrite<V, A extends Answer>(
  write: (api: PlumblineClient, input: V) => Promise<A>,
  options: WriteOptions<V, Data<A>> = {},
): UseMutationResult<Data<A>, Error, V> {
  const organization = useContext(OrganizationContext)
  const queries = useQueryClient()
  const [intention] = useState(createIntention)
  return useMutation<Data<A>, Error, V>({
    mutationFn(input) {
      const seen = options.ifMatch?.(input) ?? null
      const headers = {
        'idempotency-key': intention.keyOf(input),
        ...(seen === null ? {} : { 'if-match': seen }),
      }
      const api = apiFor(organization, headers, options.transport?.(input))
      return dataOf(write(api, input))
    },
    onError: intention.refused,
    async onSuccess(data, input) {
      intention.end()
      const { done, stale, onDone } = options
      const isStale = (key: QueryKey) =>
        key[0] === organization && (stale === undefined || stale.includes(String(key[1])))
      void queries.invalidateQueries({ predicate: (query) => isStale(query.queryKey) })
      if (done !== undefined) notify(typeof done === 'string' ? done : done(data, input))
      onDone?.(data, input)
    },
  })
}
