/** The source of `src/api.ts`: the types of the OpenAPI document of every operation that the server has. */
import openapiTypescript, { astToString } from 'openapi-typescript'
import { openapi } from '../../server/src/runtime/operation/openapi.js'
import { allOperations } from '../../server/test/operations.js'

const HEADER = `/**
 * Every path, parameter, body and answer of the API. Generated from the server's operations: do not edit, run
 * \`npm run generate -w @plumbline/client\`.
 */

`

export async function apiSource(): Promise<string> {
  const document = openapi(await allOperations(), { version: '1', basePath: '/api' })
  return HEADER + astToString(await openapiTypescript(document as never))
}
