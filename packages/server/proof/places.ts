/** Where the guards of the list stand now: the sources and tests are looked through, so that files move freely. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Guard } from './guard.js'
import { markersOf, mutate } from './mutate.js'

const server = fileURLToPath(new URL('../', import.meta.url))

/** The files of each marker, below `packages/server`; once each where all is well. */
export function markedFiles(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const file of filesBelow('src')) {
    for (const name of markersOf(readFileSync(join(server, file), 'utf8'))) {
      found.set(name, [...(found.get(name) ?? []), file])
    }
  }
  return found
}

const tests = [...filesBelow('src'), ...filesBelow('test')].filter((file) => file.endsWith('.test.ts'))

/** The tests whose path ends so: one where all is well. */
export const testsNamed = (end: string): string[] => tests.filter((file) => `/${file}`.endsWith(`/${end}.test.ts`))

export interface Mutant {
  readonly file: string
  readonly text: string
}

/** The file as it is without the guard. */
export function mutantOf({ name, change }: Guard, files: ReadonlyMap<string, readonly string[]>): Mutant {
  const file = change.kind === 'quote' ? change.file : files.get(name)?.[0]
  if (file === undefined) throw new Error(`no marker is named ${name}`)
  const text = readFileSync(join(server, file), 'utf8')
  if (change.kind !== 'quote') return { file, text: mutate(text, name, change) }
  if (text.split(change.find).length !== 2) throw new Error(`stale: the text of ${name} is not once in ${file}`)
  return { file, text: text.replace(change.find, () => change.put) }
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(server, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
}
