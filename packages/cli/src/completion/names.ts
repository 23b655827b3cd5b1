/**
 * Names of records for shell completion. They come from the server that the user is signed in to, within a short time
 * limit, and are cached for a minute.
 * INVARIANT: on any failure the shell gets the cached names or none, and never an error message.
 */
import { join } from 'node:path'
import { unwrap } from '@plumbline/client'
import { notInNames } from '@plumbline/engine'
import type { Invocation, Io } from '../command.js'
import { keyText } from '../records/keys.js'
import { fetchPage } from '../records/pages.js'
import { pipelines } from '../records/pipelines.js'
import { plugins } from '../records/plugins.js'
import { policies } from '../records/policies.js'
import type { Resource } from '../records/resource.js'
import { catalog, rules } from '../records/rules.js'
import { templates } from '../records/templates.js'
import { readCredentials } from '../remote/credentials.js'
import { cacheFolder, hashed, keep, readKept } from '../remote/names-cache.js'
import { openSession, type Session } from '../remote/session.js'
import { tenantOf } from '../remote/tenant.js'

/** A user waits about this long for completion before suspecting a fault. */
const WAIT_MS = 1500
const FRESH_MS = 60_000
/** Names older than this are never shown, even if the server does not answer. */
const KEPT_MS = 24 * 3_600_000
const NAMES_MAX = 1000

type Read = (session: Session) => Promise<readonly string[]>

/** How to read the names of each kind of record. */
const KINDS: Readonly<Record<string, Read>> = {
  ...Object.fromEntries(
    [pipelines, templates, plugins, rules, policies, catalog].map((each) => [each.name, namesOf(each)]),
  ),
  async organizations({ client }) {
    const { memberships } = await unwrap(client.GET('/auth/me'))
    return memberships.map(({ slug }) => slug)
  },
  async members(session) {
    const { id } = await tenantOf(session)
    const path = { id }
    const query = { limit: NAMES_MAX }
    const { members } = await unwrap(session.client.GET('/organization/{id}/members', { params: { path, query } }))
    return members.map(({ username }) => username)
  },
  async secrets(session) {
    const { id } = await tenantOf(session)
    const { secrets } = await unwrap(session.client.GET('/organization/{id}/secrets', { params: { path: { id } } }))
    return secrets.map(({ name }) => name)
  },
}

/** @param kind a kind of record, such as `rules`. An unknown kind has no names. */
export async function recordNames(invocation: Invocation, io: Io, kind: string): Promise<readonly string[]> {
  const read = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (read === undefined) return []
  const { credentials } = readCredentials(invocation, io)
  const { url } = credentials
  const who = hashed('token' in credentials ? credentials.token : credentials.clientSecret)
  const organization = io.env.PLUMBLINE_ORG || ('organization' in credentials ? credentials.organization : '') || ''
  const file = join(cacheFolder(io), `${kind}-${hashed(url, organization)}.json`)
  const kept = readKept(file, who)
  const ageMs = kept === null ? Number.POSITIVE_INFINITY : io.now().getTime() - kept.atMs
  if (kept !== null && ageMs >= 0 && ageMs < FRESH_MS) return kept.names
  try {
    const found = await read(openSession(invocation, io, AbortSignal.timeout(WAIT_MS)))
    // The shell shows names unescaped, so names with control or invisible characters are left out.
    const names = [...new Set(found)].filter((each) => each !== '' && !notInNames.test(each)).sort()
    // The request may have renewed the token.
    const now = readCredentials(invocation, io).credentials
    keep(file, { atMs: io.now().getTime(), who: 'token' in now ? hashed(now.token) : who, names })
    return names
  } catch {
    return kept !== null && ageMs < KEPT_MS ? kept.names : []
  }
}

function namesOf(resource: Resource): Read {
  const { path, name, listKey = name, key } = resource
  return async (session) => {
    const { records } = await fetchPage(session, path, listKey, { isActive: 'all', limit: String(NAMES_MAX) })
    return records.flatMap((record) => [
      keyText(resource, record),
      ...(key.isLastOptional === true ? [String(record[key.fields[0] ?? ''])] : []),
    ])
  }
}
