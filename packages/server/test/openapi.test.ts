/** The OpenAPI document of the whole server: sound by itself, and in agreement with what is mounted. */
import { gzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { heldClock } from '../src/runtime/clock.js'
import { ERROR_CATALOGUE } from '../src/runtime/errors.js'
import { createHttp } from '../src/runtime/http/mount.js'
import { createIds } from '../src/runtime/ids.js'
import type { Runtime } from '../src/runtime/operation/context.js'
import { openapi } from '../src/runtime/operation/openapi.js'
import type { Operation } from '../src/runtime/operation/operation.js'
import { standInAuthenticator } from './support/http.js'
import { allOperations } from './support/operations.js'
import { listedSchemas, schemaNames } from './support/schema-names.js'

type Json = Record<string, unknown>
interface OperationObject {
  readonly operationId: string
  readonly parameters: (Json & { readonly $ref?: string; readonly name?: string; readonly in?: string })[]
  readonly responses: Record<string, Json>
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Json; readonly example?: unknown }> }
  readonly security: Json[]
}

let operations: readonly Operation[]
let document: Json & { paths: Record<string, Record<string, OperationObject>> }
beforeAll(async () => {
  operations = await allOperations()
  document = openapi(operations, { version: '1.2.3', basePath: '/api' }) as typeof document
})

/** Every object in the document, with its place. */
function* walk(value: unknown, at = '#'): Generator<[at: string, value: Json]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [at, value as Json]
  for (const [key, each] of Object.entries(value)) {
    yield* walk(each, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
}

const resolve = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Json | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document)

/** What stands in the place, or what the reference there names. */
const at = (value: Json): Json => (typeof value['$ref'] === 'string' ? (resolve(value['$ref']) as Json) : value)

/** A validator of schemas that refer to the document's components. */
function validators() {
  const ajv = formats.default(new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }))
  // A format of our own, as OpenAPI allows; readers that do not know it take any text.
  ajv.addFormat('day-or-instant', true)
  ajv.addVocabulary(['x-clamp', 'x-json', 'x-repeated', 'x-says', 'x-bytes-max', 'x-normalized'])
  for (const [name, schema] of Object.entries((document['components'] as { schemas: Json }).schemas)) {
    ajv.addSchema(inTest(schema), `https://plumbline.test/${name}`)
  }
  return { ajv, compile: (schema: Json) => ajv.compile(inTest(schema)) }
}
const inTest = (schema: unknown): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"https://plumbline.test/')) as Json

const bodiesOf = function* (): Generator<[operationId: string, media: string, schema: Json, example: unknown]> {
  for (const methods of Object.values(document.paths)) {
    for (const { operationId, requestBody } of Object.values(methods)) {
      for (const [media, { schema, example }] of Object.entries(requestBody?.content ?? {})) {
        yield [operationId, media, schema, example]
      }
    }
  }
}

describe('the OpenAPI document', () => {
  it('is JSON without a loss', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
    expect(document['openapi']).toBe('3.1.0')
    expect(document['info']).toMatchObject({ title: 'Plumbline', version: '1.2.3' })
  })

  it('resolves every reference', () => {
    const refs = [...walk(document)].flatMap(([, value]) => (typeof value['$ref'] === 'string' ? [value['$ref']] : []))
    expect(refs.length).toBeGreaterThan(0)
    for (const ref of new Set(refs)) expect(resolve(ref), ref).toBeDefined()
  })

  it('holds only schemas that compile as JSON Schema 2020-12', () => {
    const texts = new Set<string>()
    const { ajv } = validators()
    for (const [place, value] of walk(document)) {
      const schema = value['schema'] as Json | undefined
      if (schema === undefined || place.endsWith('/properties')) continue
      // Many operations share a schema: each is compiled once.
      const text = JSON.stringify(inTest(schema))
      if (!texts.has(text)) expect(() => ajv.compile(JSON.parse(text)), place).not.toThrow()
      texts.add(text)
    }
    expect(texts.size).toBeGreaterThan(operations.length)
  })

  it('has every operation once, with its path parameters and no others', () => {
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]) => ({ path, method, each })),
    )
    expect(found.map(({ each }) => each.operationId).sort()).toEqual(operations.map(({ name }) => name).sort())
    for (const { path, each } of found) {
      const inPath = each.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      const braced = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
      expect(inPath.sort(), path).toEqual(braced.sort())
      const names = each.parameters.map(({ $ref, name, in: place }) => $ref ?? `${place} ${name}`)
      expect(new Set(names).size, path).toBe(names.length)
    }
  })

  it('gives every answer a description, every failure its codes, and examples that fit the envelope', () => {
    const ajv = new Ajv2020({ strict: true })
    const isError = ajv.compile(resolve('#/components/schemas/Error') as Json)
    for (const methods of Object.values(document.paths)) {
      for (const { operationId, responses } of Object.values(methods)) {
        expect(
          Object.keys(responses).some((status) => status.startsWith('2')),
          operationId,
        ).toBe(true)
        for (const [status, answer] of Object.entries(responses)) {
          const response = at(answer)
          expect(response['description'], `${operationId} ${status}`).toMatch(/\S/)
          if (Number(status) < 400) continue
          // Another protocol has one shape for all of its errors.
          if ('application/scim+json' in (response['content'] as object)) continue
          const { examples } = (
            response['content'] as { 'application/json': { examples: Record<string, { value: Json }> } }
          )['application/json']
          for (const [code, { value }] of Object.entries(examples)) {
            expect(isError(value), `${operationId} ${code}`).toBe(true)
            expect(ERROR_CATALOGUE[code as keyof typeof ERROR_CATALOGUE].status).toBe(Number(status))
          }
        }
      }
    }
  })

  it('shows an example of every success, and each is what its schema allows', () => {
    const { ajv, compile } = validators()
    let examples = 0
    for (const methods of Object.values(document.paths)) {
      for (const { operationId, responses } of Object.values(methods)) {
        for (const [status, response] of Object.entries(responses)) {
          if (!status.startsWith('2') || status === '204') continue
          for (const [media, { schema, example }] of Object.entries(
            (response['content'] ?? {}) as Record<string, { schema: Json; example?: unknown }>,
          )) {
            expect(example, `${operationId} ${media}`).toBeDefined()
            const isValid = compile(schema)
            expect(isValid(example), `${operationId} ${media}: ${ajv.errorsText(isValid.errors)}`).toBe(true)
            expect(JSON.stringify(example)).not.toMatch(/pl[kpr]_\w/)
            examples += 1
          }
        }
      }
    }
    const answering = operations.filter(({ output, http }) => output !== null && http.status !== 204)
    expect(examples).toBeGreaterThanOrEqual(answering.length)
  })

  it('shows an example of every JSON body, and each is what its schema allows', () => {
    const { ajv, compile } = validators()
    const wrong: string[] = []
    let examples = 0
    for (const [operationId, media, schema, example] of bodiesOf()) {
      if (media !== 'application/json' && media !== 'application/scim+json') continue
      examples += 1
      const isValid = compile(schema)
      if (!isValid(example)) wrong.push(`${operationId}: ${ajv.errorsText(isValid.errors)}`)
    }
    expect(wrong).toEqual([])
    const inJson = operations.filter(
      (each) =>
        (each.input.body !== undefined && !(each.kind === 'command' && each.upload)) ||
        (each.kind === 'command' && each.raw?.mediaType === 'application/json'),
    )
    expect(examples).toBe(inJson.length)
  })

  it('names every body and is small enough to be loaded at once', () => {
    for (const [operationId, media, schema] of bodiesOf()) {
      // What a monitor sends is described by the monitor.
      if (media === 'application/json' && !operationId.startsWith('reporting.incident.receive-'))
        expect(schema, operationId).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\/[A-Z]\w+$/) })
    }
    const names = Object.keys((document['components'] as { schemas: Json; responses: Json }).schemas)
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]+$/.test(name))).toEqual([])
    expect(names).toEqual(
      expect.arrayContaining(['Rule', 'Plugin', 'Pipeline', 'Violation', 'Pagination', 'RuleCreateBody']),
    )
    expect(JSON.stringify(document).length / operations.length).toBeLessThan(3_700)
    expect(gzipSync(JSON.stringify(document)).length).toBeLessThan(256_000)
  })

  it('keeps every name that the page of schemas promises', async () => {
    const [names, listed] = [await schemaNames(), listedSchemas()]
    const gone = listed.filter((name) => !names.includes(name))
    expect(gone, 'a schema lost its name: see `OWNERS` in named-schemas.ts').toEqual([])
    expect(
      names.filter((name) => !listed.includes(name)),
      'run: npm run generate',
    ).toEqual([])
  })

  it('says of every operation who may call it', () => {
    for (const methods of Object.values(document.paths)) {
      for (const each of Object.values(methods)) expect((each as unknown as Json)['description']).toMatch(/Access: \S/)
    }
  })

  it('says which file a download is, in each of its forms', () => {
    const contentOf = (path: string) =>
      Object.keys(document.paths[path]?.['get']?.responses['200']?.['content'] as Json)
    expect(contentOf('/organization/{id}/export')).toEqual(['application/json', 'application/x-ndjson'])
    expect(contentOf('/audit/export')).toEqual(['application/jsonl; charset=utf-8'])
    expect(contentOf('/messages/attachments/{id}')).toEqual(['application/octet-stream'])
    expect(contentOf('/messages/stream')).toEqual(['text/event-stream'])
  })

  it('asks for a credential exactly where the server does', () => {
    for (const operation of operations) {
      const path = operation.http.path.replaceAll(/:([A-Za-z]+)/g, '{$1}')
      const isPublic = operation.access.doors.some(({ kind }) => kind === 'public')
      expect(document.paths[path]?.[operation.http.method]?.security.length, operation.name).toBe(isPublic ? 0 : 1)
    }
  })
})

describe('the documents that the server answers', () => {
  const start = (basePath: string) => {
    const clock = heldClock(0)
    const runtime = { clock, ids: createIds(clock) } as unknown as Runtime
    return createHttp({
      runtime,
      operations,
      authenticator: standInAuthenticator(),
      basePath,
      onError: () => undefined,
      version: '1.2.3',
    })
  }

  it('are the document, with an ETag', async () => {
    const app = start('/api')
    const response = await app.request('/api/openapi.json')
    expect(await response.json()).toEqual(document)
    const etag = response.headers.get('etag') ?? ''
    expect((await app.request('/api/openapi.json', { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  it.each(['/api', ''])('are a page of our own files under %j: no other host, nothing inline', async (basePath) => {
    const app = start(basePath)
    const page = await app.request(`${basePath}/docs`)
    const html = await page.text()
    expect(page.headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self'/,
    )
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
    expect(html).not.toMatch(/https?:|<script>|<style| on[a-z]+=/)
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link)
    expect(links.length).toBe(4)
    for (const link of links) {
      const asset = await app.request(link)
      expect([link, asset.status]).toEqual([link, 200])
      expect(asset.headers.get('x-content-type-options')).toBe('nosniff')
      expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(50)
    }
    expect(await (await app.request(`${basePath}/docs/start.js`)).text()).toContain(
      `"url":"${basePath}/docs/document.json"`,
    )
    const shown = await (await app.request(`${basePath}/docs/document.json`)).json()
    expect(shown).toMatchObject({ openapi: '3.0.3', info: { version: '1.2.3' } })
    expect((await app.request(`${basePath}/docs/package.json`)).status).toBe(404)
    expect((await app.request(`${basePath}/docs/..%2fpackage.json`)).status).toBe(404)
  })
})
