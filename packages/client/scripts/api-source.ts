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
  return HEADER + withoutEchoes(astToString(types))
}

/** Half of the lines tell what is not there, or what the type beside them says; leaving them out says the same. */
const withoutEchoes = (source: string): string =>
  [NOTHING, SAID_BY_THE_TYPE, HEADERS, NO_PARAMETERS]
    .reduce((text, echo) => text.replaceAll(echo, ''), source)
    .split('\n')
    .filter((line, at, lines) => !(isComment(line) && SHARED_PARAMETER.test(lines[at + 1] ?? '')))
    .join('\n')

/** What a path or an operation does not have. */
const NOTHING = /^ +[a-z]+\?: never;\n/gim
const SAID_BY_THE_TYPE = /^ +\/\*\* (?:@constant|@enum \{\w+\}) \*\/\n/gm
/** `fetch` reads headers untyped. */
const HEADERS = /^ +headers: \{\n[^{}]*\};\n/gm
const NO_PARAMETERS = /^ +parameters: \{\n +\};\n/gm
/** It is described where it is declared. */
const SHARED_PARAMETER = /^ +"[a-z-]+"\?: components\["parameters"\]/
const isComment = (line: string): boolean => line.trimStart().startsWith('/** ')

/** Types say what the examples show; as comments they would be most of the file. */
const withoutExamples = (document: object): unknown =>
  JSON.parse(JSON.stringify(document), function (this: object, key, value) {
    return key === 'example' && 'schema' in this ? undefined : value
  })
