/** The source of `src/api.ts`: the types of the OpenAPI document of every operation that the server has. */
import openapiTypescript, { astToString } from 'openapi-typescript'
import { openapi } from '../../server/src/runtime/operation/openapi.js'
import { allOperations } from '../../server/test/support/operations.js'

const HEADER = `/**
 * Every path, parameter, body and answer of the API. Generated from the server's operations: do not edit, run
 * \`npm run generate\`.
 */

`

/** A field with a default may be left out of a request; `defaultNonNullable` would demand it. */
export async function apiSource(): Promise<string> {
  const document = openapi(await allOperations(), { version: '1', basePath: '/api' })
  const types = await openapiTypescript(withoutExamples(document) as never, { defaultNonNullable: false })
  return HEADER + astToString(types).split('\n').filter(saysSomething).join('\n')
}

/** A third of the lines tell what a path or an operation does not have; leaving them out says the same. */
const saysSomething = (line: string): boolean => !/^ +[a-z]+\?: never;$/i.test(line)

/** Types say what the examples show; as comments they would be most of the file. */
const withoutExamples = (document: object): unknown =>
  JSON.parse(JSON.stringify(document), function (this: object, key, value) {
    return key === 'example' && 'schema' in this ? undefined : value
  })
