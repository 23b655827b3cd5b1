/** Reads and changes of the API, as screens use them. Only reads are repeated; a change has one key for an intention. */
import { ApiError, type PlumblineClient, unwrap } from '@plumbline/client'
import {
  keepPreviousData,
  QueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { createContext, useContext, useRef } from 'react'
import { notify } from '../ui/toast.js'
import { apiFor } from './client.js'

export type { components, operations } from '@plumbline/client'

type Answer = { data?: unknown; error?: unknown; response: Response }
type Data<A extends Answer> = NonNullable<A['data']> extends { data?: infer D } ? D : undefined
const dataOf = <A extends Answer>(answer: Promise<A>) => unwrap(answer) as Promise<Data<A>>

/** The organization of the address; none on the pages before sign-in. */
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
        staleTime: 10_000,
        retry: (count, error) =>
          count < RETRIES && canRepeat(error) && !(error instanceof ApiError && (error.retryAfterSeconds ?? 0) > 30),
        retryDelay: waitMs,
      },
      mutations: { retry: false },
    },
  })

interface ReadOptions {
  enabled?: boolean
  /** Old rows stay while new ones come. */
  keep?: boolean
  everyMs?: number | false
}

export function useRead<A extends Answer>(
  key: QueryKey,
  read: (api: PlumblineClient, signal: AbortSignal) => Promise<A>,
  { enabled = true, keep = false, everyMs = false }: ReadOptions = {},
): UseQueryResult<Data<A>, Error> {
  const organization = useContext(OrganizationContext)
  return useQuery<Data<A>, Error>({
    queryKey: [organization, ...key],
    queryFn: ({ signal }) => dataOf(read(apiFor(organization), signal)),
    enabled,
    refetchInterval: everyMs,
    ...(keep ? { placeholderData: keepPreviousData as never } : {}),
  })
}

interface WriteOptions<V, D> {
  /** First parts of the keys of reads that this change makes stale; all of the organization when left out. */
  stale?: readonly string[]
  done?: string | ((data: D, input: V) => string)
  onDone?: (data: D, input: V) => void
  /** The ETag of the record that the person saw: the server refuses when somebody was faster. */
  ifMatch?: (input: V) => string | null
}

export function useWrite<V, A extends Answer>(
  write: (api: PlumblineClient, input: V) => Promise<A>,
  options: WriteOptions<V, Data<A>> = {},
): UseMutationResult<Data<A>, Error, V> {
  const organization = useContext(OrganizationContext)
  const queries = useQueryClient()
  const intention = useRef({ of: '', key: '' })
  return useMutation<Data<A>, Error, V>({
    mutationFn(input) {
      const of = input instanceof FormData ? '' : JSON.stringify(input ?? null)
      if (intention.current.of !== of || of === '') intention.current = { of, key: crypto.randomUUID() }
      const seen = options.ifMatch?.(input) ?? null
      const api = apiFor(organization, {
        'idempotency-key': intention.current.key,
        ...(seen === null ? {} : { 'if-match': seen }),
      })
      return dataOf(write(api, input))
    },
    async onSuccess(data, input) {
      intention.current = { of: '', key: '' }
      const { done, stale, onDone } = options
      const isStale = (key: QueryKey) =>
        key[0] === organization && (stale === undefined || stale.includes(String(key[1])))
      void queries.invalidateQueries({ predicate: (query) => isStale(query.queryKey) })
      if (done !== undefined) notify(typeof done === 'string' ? done : done(data, input))
      onDone?.(data, input)
    },
  })
}
