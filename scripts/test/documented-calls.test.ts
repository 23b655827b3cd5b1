/**
 * Checks every request in the documentation against the server: the route exists, its query parameters are known, and a
 * complete body matches the schema. Nothing is sent.
 */
import { relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../../packages/server/src/runtime/operation/operation.js'
import { problems } from '../../packages/server/src/runtime/operation/schema.js'
import { allOperations } from '../../packages/server/test/support/operations.js'
import { pages, partsOf, root, shellSnippets } from './pages.js'
import { shellCommands } from './shell-commands.js'

const today = pages.filter((page) => !/[\\/](decisions[\\/].*|CHANGELOG\.md|permissions\.md)$/.test(page))
const PROBES = new Set(['/healthz', '/readyz', '/metrics', '/api/docs', '/api/openapi.json'])

interface Call {
  /** `docs/guide/scans.md:12`. */
  readonly place: string
  readonly method: string
  /** Includes the query. */
  readonly url: string
  readonly body?: string
}

let operations: readonly Operation[] = []
beforeAll(async () => {
  operations = await allOperations()
})

/** Replaces a variable of the shell. */
const ANY_ID = '0190a1b2-0000-7000-8000-0000000000aa'
const VARIABLE = /\$\{?\w+\}?|…/g
/** The one-time code of a second factor. */
const CODE = /\$\{?CODE\}?/g
/** The options of curl that take a value. */
const WITH_VALUE = /^(-[HdXFow]|--data|--data-binary|--request|--header|--form|--output|--max-time)$/

/** The addresses that pages use by convention. A page may set its own. */
function addresses(page: string): Map<string, string> {
  const known = new Map([
    ['URL', 'http://host'],
    ['PLUMBLINE_URL', 'http://host'],
    ['API', 'http://host/api'],
  ])
  const { blocks, prose } = partsOf(page)
  for (const { text } of [...prose, ...blocks]) {
    for (const [, name = '', value = ''] of text.matchAll(/\b(\w+)=(https?:\/\/[^\s`"']+)/g)) known.set(name, value)
  }
  return known
}

function curlCall(words: readonly string[], known: ReadonlyMap<string, string>): Omit<Call, 'place'> | null {
  let method: string | undefined
  let body: string | undefined
  let url: string | undefined
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const next = words[at + 1] ?? ''
    if (word === '-X' || word === '--request') method = next
    else if (word === '-d' || word.startsWith('--data')) body = next
    else if (word === '-F') body = '@'
    else if (!word.startsWith('-')) url ??= word
    if (WITH_VALUE.test(word)) at += 1
  }
  const [, name = '', rest = ''] = /^\$\{?(\w+)\}?(.*)$/s.exec(url ?? '') ?? []
  const full = name === '' ? (url ?? '') : `${known.get(name) ?? ''}${rest}`
  if (!/^https?:\/\//.test(full)) return null
  const { pathname, search } = new URL(full.replaceAll(VARIABLE, ANY_ID))
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    url: `${pathname}${search}`,
    ...(body === undefined || body.startsWith('@') ? {} : { body }),
  }
}

function callsOn(page: string): Call[] {
  const known = addresses(page)
  return shellSnippets(page).flatMap(({ page: name, line, text, isNamedOnly }) => {
    if (isNamedOnly) {
      const [, method = '', path = ''] = /^(GET|POST|PUT|PATCH|DELETE) (\/[^\s*]*)$/.exec(text) ?? []
      if (path === '' || path.includes('...')) return []
      const named = path.replaceAll(/:\w+|\{\w+\}|<\w+>|…/g, ANY_ID)
      return [
        {
          place: `${name}:${line}`,
          method,
          url: /^\/(api|healthz|readyz|metrics)\b/.test(path) ? named : `/api${named}`,
        },
      ]
    }
    return shellCommands(text).flatMap(({ words, line: below }) => {
      // The tour calls curl through its own functions.
      const curl = /^(api|as_admin)$/.test(words[0] ?? '')
        ? ['curl', `$API${words[1]}`, ...words.slice(2)]
        : words[0] === 'curl'
          ? words
          : null
      const call = curl === null ? null : curlCall(curl, known)
      return call === null ? [] : [{ place: `${name}:${line + below}`, ...call }]
    })
  })
}

function problem({ method, url, body }: Call): string | null {
  const { pathname, searchParams } = new URL(url, 'http://host')
  if (PROBES.has(pathname)) return null
  if (!pathname.startsWith('/api/')) return 'is not below /api'
  const path = pathname.slice('/api'.length)
  const found = operations.filter(
    (operation) => operation.http.method === method.toLowerCase() && isRoute(operation, path),
  )
  // A literal route wins over one with parameters.
  const operation = found.find(({ http }) => http.path === path) ?? found[0]
  if (operation === undefined) return 'there is no such route'
  const query = operation.input.query as { properties?: object; patternProperties?: object } | undefined
  const isKnown = (name: string) =>
    Object.hasOwn(query?.properties ?? {}, name) ||
    Object.keys(query?.patternProperties ?? {}).some((pattern) => new RegExp(pattern).test(name))
  const unknown = [...searchParams.keys()].filter((name) => !isKnown(name))
  if (unknown.length > 0) return `the query does not know ${unknown.join(', ')}`
  if (body === undefined) return null
  // Bytes that another service sends have no schema.
  if ('raw' in operation && operation.raw !== undefined) return null
  if (operation.input.body === undefined) return 'takes no body'
  let value: unknown
  try {
    value = JSON.parse(body.replaceAll(CODE, '000000').replaceAll(VARIABLE, ANY_ID))
  } catch (error) {
    return `the body is not JSON: ${String(error)}`
  }
  const wrong = problems(operation.input.body, value, '')
  return wrong.length === 0 ? null : wrong.map(({ path: at, message }) => `${at} ${message}`).join('; ')
}

function isRoute({ http }: Operation, path: string): boolean {
  const given = path.split('/')
  return [http.path, ...(http.aliases ?? [])].some((route) => {
    const parts = route.split('/')
    return parts.length === given.length && parts.every((part, at) => part.startsWith(':') || part === given[at])
  })
}

describe('a request that a page shows', () => {
  it.each(today.map((page) => [relative(root, page), page] as const))(
    'is one that the server takes: %s',
    (_name, page) => {
      const wrong = callsOn(page).flatMap((each) => {
        const message = problem(each)
        return message === null ? [] : [`${each.place}  ${each.method} ${each.url}: ${message}`]
      })
      expect(wrong).toEqual([])
    },
  )

  it('is found in blocks and in text', () => {
    const all = today.flatMap(callsOn)
    expect(all.length).toBeGreaterThan(120)
    expect(all.filter(({ body }) => body !== undefined).length).toBeGreaterThan(20)
  })

  it('is told what is wrong with it', () => {
    const told = (method: string, url: string, body?: object) =>
      problem({ place: '', method, url, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    expect(told('GET', '/api/compliance/scans?status=completed')).toBeNull()
    expect(told('GET', '/api/compliance/scnas')).toBe('there is no such route')
    expect(told('PUT', '/api/compliance/scans')).toBe('there is no such route')
    expect(told('GET', '/compliance/scans')).toBe('is not below /api')
    expect(told('GET', '/api/compliance/scans?state=x')).toContain('state')
    expect(told('POST', '/api/compliance/scans', { target: 'all' })).toBeNull()
    expect(told('POST', '/api/compliance/scans', { target: 'none' })).toContain('/target')
    expect(told('POST', '/api/compliance/scans', { target: 'all', more: 1 })).toContain('/more')
  })
})
