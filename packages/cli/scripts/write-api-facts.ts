/** `npm run generate`: writes `src/api-facts.ts`. A test holds it to the operations of the server. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { apiFacts } from './api-facts.js'

const { VOCABULARY, API_FACTS } = await apiFacts()
const source = `/** What the API says of the requests of the command line. Generated from its description: do not edit, run \`npm run generate\`. */

export interface ApiFacts {
  /** The values that a parameter or a field takes. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
  readonly isIdempotent?: boolean
}

/** Words of commands that have no request of their own. */
export const VOCABULARY = ${JSON.stringify(VOCABULARY)} as const

export const API_FACTS: Readonly<Record<string, ApiFacts>> = ${JSON.stringify(API_FACTS)}
`
const file = fileURLToPath(new URL('../src/api-facts.ts', import.meta.url))
writeFileSync(file, source)
execFileSync('npx', ['biome', 'format', '--write', file], { stdio: 'ignore' })
