/**
 * An S3-compatible store in this process, for the five requests that the server sends. It verifies each signature with
 * its own implementation of the published algorithm (AWS Signature Version 4), and stores objects in memory.
 */
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeS3 {
  readonly endpoint: string
  readonly objects: Map<string, { content: Buffer; modifiedAtMs: number }>
  /** `PUT /bucket/key` for every request, including refused ones. */
  readonly requests: string[]
  /** Status codes with which the next requests fail. */
  readonly failing: number[]
  /** How many of the next requests end with a broken connection. */
  hangUps: number
  close(): Promise<void>
}

export const FAKE_S3 = {
  bucket: 'files',
  region: 'eu-central-1',
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'se/cret+Key',
}
const PAGE = 3

export async function fakeS3(): Promise<FakeS3> {
  const objects: FakeS3['objects'] = new Map()
  const state = { objects, requests: [] as string[], failing: [] as number[], hangUps: 0 }
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake')
    state.requests.push(`${request.method} ${decodeURIComponent(url.pathname)}`)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    if (state.hangUps > 0) {
      state.hangUps -= 1
      return void request.socket.destroy()
    }
    const failing = state.failing.shift()
    if (failing !== undefined) return refuse(response, failing, 'SlowDown')
    const wrong = signatureProblem(request, url)
    if (wrong !== null) return refuse(response, 403, wrong)
    const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/')
    const key = rest.join('/')
    if (bucket !== FAKE_S3.bucket) return refuse(response, 404, 'NoSuchBucket')
    if (key === '') return list(url, response)
    const found = objects.get(key)
    if (request.method === 'PUT') {
      if (request.headers['content-length'] === undefined) return refuse(response, 411, 'MissingContentLength')
      objects.set(key, { content: body, modifiedAtMs: Date.now() })
      return void response.writeHead(200).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return void response.writeHead(204).end()
    }
    if (found === undefined) return refuse(response, 404, 'NoSuchKey')
    const { content } = found
    if (request.method === 'HEAD') return void response.writeHead(200, { 'content-length': content.length }).end()
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    if (range === null) return void response.writeHead(200, { 'content-length': content.length }).end(content)
    response.writeHead(206).end(content.subarray(Number(range[1]), Number(range[2]) + 1))
  }

  function list(url: URL, response: ServerResponse): void {
    const prefix = url.searchParams.get('prefix') ?? ''
    const after = url.searchParams.get('continuation-token') ?? ''
    const all = [...objects]
      .filter(([key]) => key.startsWith(prefix) && key > after)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const page = all.slice(0, Number(url.searchParams.get('max-keys') ?? PAGE))
    const entry = ([key, { content, modifiedAtMs }]: (typeof all)[number]) =>
      `<Contents><Key>${key}</Key><LastModified>${new Date(modifiedAtMs).toISOString()}</LastModified><ETag>&quot;x&quot;</ETag><Size>${content.length}</Size></Contents>`
    const more = all.length > page.length
    const next = more ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : ''
    response.end(
      `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Prefix>${prefix}</Prefix><IsTruncated>${more}</IsTruncated>${next}${page.map(entry).join('')}</ListBucketResult>`,
    )
  }

  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()))
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    endpoint: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  })
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

function signatureProblem(request: IncomingMessage, url: URL): string | null {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/
  const [, keyId, day = '', region = '', names = '', signature] = form.exec(request.headers.authorization ?? '') ?? []
  if (signature === undefined) return 'AccessDenied'
  if (keyId !== FAKE_S3.accessKeyId || region !== FAKE_S3.region) return 'InvalidAccessKeyId'
  const time = String(request.headers['x-amz-date'])
  if (!time.startsWith(day)) return 'AccessDenied'
  for (const needed of ['host', 'x-amz-date', 'x-amz-content-sha256']) {
    if (!names.split(';').includes(needed)) return 'AccessDenied'
  }
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
  const path = decodeURIComponent(url.pathname).split('/').map(encoded).join('/')
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  const canonical = [
    request.method,
    path,
    query.join('&'),
    headers.join(''),
    names,
    request.headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = ['s3', 'aws4_request'].reduce<Buffer>(
    (above, part) => hmac(above, part),
    hmac(hmac(`AWS4${FAKE_S3.secretAccessKey}`, day), region),
  )
  return hmac(key, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch'
}
