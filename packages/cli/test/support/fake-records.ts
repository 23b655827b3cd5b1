/**
 * A small server with the routes of records from the specification: envelopes, pages, revisions, soft deletion, and a
 * rule against images called `bad`. It records the writes. It is for tests of paging and of failures that a real server
 * rarely shows. Other tests use a real server.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export const ORG = '0190aaaa-0000-7000-8000-000000000001'

type Json = Record<string, unknown>

export interface Seen {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export interface FakeServer {
  readonly url: string
  /** The requests, in order. */
  readonly seen: Seen[]
  readonly pipelines: Map<string, Json>
  /**
   * Answers a request before anything else does; null to continue. `text` is sent unchanged, and then `hangUp` cuts the
   * connection.
   */
  intercept: (
    seen: Seen,
  ) => { status: number; body?: Json; headers?: Record<string, string>; hangUp?: boolean; text?: string } | null
  writes(): Seen[]
  close(): Promise<void>
}

const keyOf = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')

export async function startFake(): Promise<FakeServer> {
  const pipelines = new Map<string, Json>()
  const fake = {
    seen: [] as Seen[],
    pipelines,
    intercept: (() => null) as FakeServer['intercept'],
    writes: () => fake.seen.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/validate')),
  }
  const server: Server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const url = new URL(request.url ?? '', 'http://fake')
    const seen: Seen = {
      method: request.method ?? '',
      path: url.pathname.replace(/^\/api/, ''),
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: Buffer.concat(parts),
    }
    fake.seen.push(seen)
    const intercepted = fake.intercept(seen)
    if (intercepted?.text !== undefined) {
      response.writeHead(intercepted.status, intercepted.headers ?? {})
      response.write(intercepted.text, () => (intercepted.hangUp === true ? request.socket.destroy() : response.end()))
      return
    }
    if (intercepted?.hangUp === true) {
      request.socket.destroy()
      return
    }
    const { status, headers = {}, body } = intercepted ?? answer(seen, pipelines)
    const envelope = { success: status < 400, statusCode: status, requestId: 'req-1', ...body }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(envelope))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(fake, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body: Json
}

const data = (value: unknown, status = 200, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { data: value },
})
const refused = (status: number, code: string, message: string, details: Json = {}): Answer => ({
  status,
  body: { code, message, details },
})

function answer({ method, path, query, headers, body }: Seen, pipelines: Map<string, Json>): Answer {
  const sent = /json/.test(headers['content-type'] ?? '') ? (JSON.parse(body.toString() || '{}') as Json) : {}
  const [, family, id, verb] = path.split('/')
  if (path === '/auth/me')
    return data({ organization: { id: ORG, slug: 'acme' }, user: {}, memberships: [], permissions: [] })
  if (path === '/plugins' || path === '/pipeline-templates') {
    return data({ plugins: [], templates: [], pagination: { total: 0, limit: 1000, offset: 0, hasMore: false } })
  }
  if (family !== 'pipelines') return refused(404, 'NOT_FOUND', 'There is no such route')
  if (method === 'GET' && id === undefined) return page([...pipelines.values()], query)
  if (method === 'POST' && id === undefined) {
    if (isBad(sent)) return blocked()
    const record = {
      id: randomUUID(),
      orgId: ORG,
      revision: 1,
      createdAt: new Date().toISOString(),
      isDefault: true,
      ...sent,
    }
    pipelines.set(record.id, record)
    return data({ pipeline: record, created: true, warnings: [] }, 201)
  }
  if (id === 'validate') {
    return data({ compliance: { violations: isBad(sent) ? [violation] : [], warnings: [] } })
  }
  const record = pipelines.get(id ?? '')
  if (record === undefined) return refused(404, 'NOT_FOUND', 'Pipeline not found')
  if (method === 'GET') return data({ pipeline: record }, 200, { etag: `"${record.revision}"` })
  if (headers['if-match'] !== undefined && headers['if-match'] !== `"${record.revision}"`) {
    return refused(412, 'PRECONDITION_FAILED', 'the record changed since it was read')
  }
  if (method === 'DELETE') {
    pipelines.delete(record.id as string)
    return data({ id: record.id })
  }
  if (method === 'PUT' && verb === undefined) {
    if (isBad({ ...record, ...sent })) return blocked()
    const next = { ...record, ...sent, revision: Number(record.revision) + 1 }
    pipelines.set(record.id as string, next)
    return data({ pipeline: next, warnings: [] })
  }
  return refused(405, 'METHOD_NOT_ALLOWED', 'The path exists, but not with this method')
}

function page(all: Json[], { limit = '10', offset = '0', cursor, ...filters }: Record<string, string>): Answer {
  const found = all.filter(
    (record) =>
      ['project', 'organization'].every(
        (field) => filters[field] === undefined || keyOf(record[field]) === keyOf(filters[field]),
      ) &&
      Object.entries(filters).every(
        ([name, value]) =>
          !name.startsWith('label.') || (record.labels as Json | undefined)?.[name.slice('label.'.length)] === value,
      ),
  )
  const from = Number(cursor ?? offset)
  const shown = found.slice(from, from + Number(limit)).map(({ props: _props, ...record }) => record)
  const hasMore = from + shown.length < found.length
  return data({
    pipelines: shown,
    pagination: {
      total: found.length,
      limit: Number(limit),
      offset: from,
      hasMore,
      ...(hasMore ? { nextCursor: String(from + shown.length) } : {}),
    },
  })
}

const isBad = (record: Json): boolean => (record.props as Json | undefined)?.image === 'bad'

const violation = {
  ruleId: 'rule-1',
  ruleName: 'no-bad-image',
  severity: 'error',
  field: 'props.image',
  operator: 'neq',
  expectedValue: 'bad',
  actualValue: 'bad',
  message: 'the image is forbidden',
}

const blocked = (): Answer =>
  refused(403, 'COMPLIANCE_VIOLATION', 'A compliance rule blocks the change', { violations: [violation], warnings: [] })
