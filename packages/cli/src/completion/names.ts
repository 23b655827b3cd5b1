/**
 * Names of records for a shell that completes: those of the server where the person is signed in, read within a short time and
 * kept for a minute.
 * INVARIANT: whatever fails, a shell gets the names that are known, or none, and nobody reads an error.
 */
import { join } from 'node:path'
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
import { openSession } from '../remote/session.js'

const KINDS: readonly Resource[] = [pipelines, templates, plugins, rules, policies, catalog]

/** As long as somebody waits for a key without asking what is wrong. */
const WAIT_MS = 1500
const FRESH_MS = 60_000
/** What is older is shown no more, even where the server is away. */
const KEPT_MS = 24 * 3_600_000
const NAMES_MAX = 1000

/** @param kind the name of a kind of record, such as `rules`; of another one there are no names. */
export async function recordNames(invocation: Invocation, io: Io, kind: string): Promise<readonly string[]> {
  const resource = KINDS.find(({ name }) => name === kind)
  if (resource === undefined) return []
  const { credentials } = readCredentials(invocation, io)
  const { url } = credentials
  const who = hashed('token' in credentials ? credentials.token : credentials.clientSecret)
  const organization = io.env.PLUMBLINE_ORG || ('organization' in credentials ? credentials.organization : '') || ''
  const file = join(cacheFolder(io), `${kind}-${hashed(url, organization)}.json`)
  const kept = readKept(file, who)
  const ageMs = kept === null ? Number.POSITIVE_INFINITY : io.now().getTime() - kept.atMs
  if (kept !== null && ageMs >= 0 && ageMs < FRESH_MS) return kept.names
  try {
    const names = await readNames(invocation, io, resource)
    // The token may have been renewed meanwhile.
    const now = readCredentials(invocation, io).credentials
    keep(file, { atMs: io.now().getTime(), who: 'token' in now ? hashed(now.token) : who, names })
    return names
  } catch {
    return kept !== null && ageMs < KEPT_MS ? kept.names : []
  }
}

async function readNames(invocation: Invocation, io: Io, resource: Resource): Promise<string[]> {
  const session = openSession(invocation, io, AbortSignal.timeout(WAIT_MS))
  const { path, name, listKey = name, key } = resource
  const query = { isActive: 'all', limit: String(NAMES_MAX) }
  const { records } = await fetchPage(session, path, listKey, query)
  const names = records.flatMap((record) => [
    keyText(resource, record),
    ...(key.isLastOptional === true ? [String(record[key.fields[0] ?? ''])] : []),
  ])
  // A shell and a terminal are shown them as they are.
  return [...new Set(names)].filter((each) => each !== '' && !notInNames.test(each)).sort()
}
