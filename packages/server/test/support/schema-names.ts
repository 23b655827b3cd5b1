/** The names of the API's schemas, and of those on the page that guarantees them. */
import { readFileSync } from 'node:fs'
import { openapi } from '../../src/runtime/operation/openapi.js'
import { allOperations } from './operations.js'

const PAGE = new URL('../../../../docs/reference/api-schemas.md', import.meta.url)

export async function schemaNames(): Promise<string[]> {
  const { components } = openapi(await allOperations(), { version: '1', basePath: '/api' })
  return Object.keys((components as { schemas: object }).schemas).sort()
}

/** The names on the page; empty without a page. */
export const listedSchemas = (): string[] =>
  [...readFileSync(PAGE, { encoding: 'utf8', flag: 'a+' }).matchAll(/^- `(\w+)`$/gm)].map(([, name]) => String(name))

export const schemasPage = (names: readonly string[]): string => `# Schemas of the API

The OpenAPI document and the typed client know these schemas by name. A name stays: your code may use
\`components['schemas']['Rule']\`. \`npm run generate\` adds the names of new schemas and removes none; a test fails when a
listed schema is gone or has another name.

${[...names]
  .sort()
  .map((name) => `- \`${name}\`\n`)
  .join('')}`
