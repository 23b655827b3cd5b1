/** Writes `src/api.ts` from the OpenAPI document of the server's operations. A test holds it to them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { apiSource } from './api-source.js'

const file = fileURLToPath(new URL('../src/api.ts', import.meta.url))
const source = await apiSource()
if (readFileSync(file, { encoding: 'utf8', flag: 'a+' }) !== source) writeFileSync(file, source)
