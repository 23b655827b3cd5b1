/**
 * Changes on the server, as one stream per browser. The tab that holds the lock of the organization follows `GET
 * /events` and passes topics to the other tabs.
 * Topics only make reads stale. Without the stream, a page reads again every minute.
 *
 * INVARIANT: after a gap of any length, every read is made stale once, unless the server has sent what changed in the
 * gap.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useContext, useEffect } from 'react'
import { createStore, useStore } from '../ui/store.js'
import { OrganizationContext } from './api.js'
import { signedOut } from './client.js'
import { follow } from './stream.js'

export type Liveness = 'starting' | 'live' | 'lost'
export const liveness = createStore<Liveness>('starting')

/**
 * The reads that a topic makes stale, by the first parts of their keys. The server defines the areas and nouns of
 * topics.
 */
const READS: Readonly<Record<string, readonly string[]>> = {
  // A check can find nothing again, which tells nothing of a finding.
  'compliance.check': ['checks', 'summary', 'findings'],
  'compliance.exemption': ['exemptions', 'findings', 'summary'],
  'compliance.finding': ['findings', 'summary'],
  'compliance.policy': ['policies', 'enforced', 'findings'],
  'compliance.rule': ['rules', 'published', 'enforced', 'policies', 'findings'],
  'compliance.scan': ['scans', 'schedules'],
  'compliance.scan-schedule': ['schedules', 'scans'],
  'compliance.subscription': ['subscriptions', 'published', 'templates', 'rules', 'enforced', 'findings'],
  'message.announcement': ['messages', 'thread', 'unread'],
  'message.message': ['messages', 'thread', 'unread'],
  // Somebody read a message, perhaps this person in another window. Its list is loaded again when that window is used.
  'message.read': ['unread'],
  'org.member': ['members', 'me', 'organization', 'teams'],
  'org.role': ['roles', 'members', 'me'],
  'user.token': ['pats'],
  'user.session': ['sessions'],
}

/** A stream that begins later after the page was opened makes all reads stale. */
const JUST_READ_MS = 1000

/** Used for topics that are not listed above, so that new nouns reach the screens of their area. */
const AREAS: Readonly<Record<string, readonly string[]>> = {
  ai: ['drafts'],
  compliance: ['preferences', 'me'],
  // A deleted record has no open finding.
  pipeline: ['pipelines', 'findings', 'summary'],
  plugin: ['plugins', 'builds', 'findings', 'summary'],
  user: ['me', 'account', 'sessions', 'pats'],
  quota: ['quotas'],
  registry: ['images'],
  org: ['organization', 'invitations', 'secrets', 'principals', 'teams', 'sign-on'],
  admin: ['organization', 'me', 'system'],
  billing: ['billing', 'quotas', 'me'],
  reports: ['reports', 'scorecards'],
}

/** Every name in the two tables. */
export const READ_NAMES: readonly string[] = [READS, AREAS].flatMap((table) => Object.values(table).flat())

export const readsOf = (topics: readonly string[]): ReadonlySet<string> =>
  new Set(topics.flatMap((topic) => [...(READS[topic] ?? AREAS[topic.split('.')[0] ?? ''] ?? []), 'audit']))

type News =
  | { readonly kind: 'changed'; readonly topics: readonly string[] | null }
  | { readonly kind: 'liveness'; readonly now: Liveness; readonly lastId: string | null }
  | { readonly kind: 'ask' }

interface Told {
  readonly topics?: unknown
  readonly resumed?: unknown
}

/** What an event of the stream makes stale: the reads of some topics, or all reads (null), or none (undefined). */
export function newsOf(event: string, data: unknown): readonly string[] | null | undefined {
  if (event !== 'live' && event !== 'changed') return undefined
  const { topics, resumed } = (data ?? {}) as Told
  if (event === 'live' && resumed !== true) return null
  const named = Array.isArray(topics) ? topics.filter((each) => typeof each === 'string') : []
  return named.length === 0 ? undefined : named
}

interface Tab {
  readonly organization: string
  readonly signal: AbortSignal
  readonly onChange: (topics: readonly string[] | null) => void
  readonly onLiveness: (now: Liveness) => void
}

/**
 * Joins the tabs of an organization. The tab that holds the lock follows the stream; the others listen to it and wait
 * for the lock.
 */
export function joinTabs({ organization, signal, onChange, onLiveness }: Tab): void {
  const name = `plumbline.live.${organization}`
  const channel = new BroadcastChannel(name)
  signal.addEventListener('abort', () => channel.close(), { once: true })
  const joinedMs = performance.now()
  let now: Liveness = 'starting'
  let isLeader = false
  /** The position that the stream has reached. The tab that leads next continues there. */
  let lastId: string | null = null
  const post = (news: News) => {
    if (!signal.aborted) channel.postMessage(news)
  }
  const tell = (next: Liveness) => {
    now = next
    onLiveness(next)
    post({ kind: 'liveness', now: next, lastId })
  }
  channel.onmessage = ({ data }: MessageEvent<News>) => {
    if (data.kind === 'changed') onChange(data.topics)
    else if (data.kind === 'liveness') {
      lastId = data.lastId
      onLiveness(data.now)
    } else if (isLeader) post({ kind: 'liveness', now, lastId })
  }
  post({ kind: 'ask' })
  const lead = async () => {
    isLeader = true
    let isFirst = true
    await follow({
      organization,
      path: '/events',
      signal,
      lastId,
      onLive: (isLive) => tell(isLive ? 'live' : 'lost'),
      onEvent({ event, data, id }) {
        const topics = newsOf(event, data)
        // A page that has just been opened has read everything a moment before.
        const isNew =
          topics !== undefined && !(isFirst && topics === null && performance.now() - joinedMs < JUST_READ_MS)
        isFirst = false
        if (isNew) {
          onChange(topics)
          post({ kind: 'changed', topics })
        }
        if (id !== null) {
          lastId = id
          tell('live')
        }
        return false
      },
    })
    if (!signal.aborted) tell('lost')
  }
  // The lock is held until the tab closes. Then the next tab in the queue gets it.
  void navigator.locks.request(name, { signal }, lead).catch(() => undefined)
}

/** Makes reads of the current organization stale when the server reports changes. */
export function useLive(): void {
  const organization = useContext(OrganizationContext)
  const queries = useQueryClient()
  const isOut = useStore(signedOut)
  useEffect(() => {
    if (organization === null || isOut) return
    const stop = new AbortController()
    liveness.set('starting')
    joinTabs({
      organization,
      signal: stop.signal,
      onLiveness: (now) => liveness.set(now),
      onChange(topics) {
        const stale = topics === null ? null : readsOf(topics)
        void queries.invalidateQueries({
          predicate: ({ queryKey: [of, name] }) => of === organization && (stale?.has(String(name)) ?? true),
        })
      },
    })
    return () => stop.abort()
  }, [organization, isOut, queries])
}
