/** The declarations of the process and of all domains together. */
import { DECLARATIONS } from '../declarations.js'
import { processDeclarations } from './declarations.js'
import type { Declarations } from './declare.js'

type Each = typeof processDeclarations | (typeof DECLARATIONS)[number]

export type ModuleName = (typeof DECLARATIONS)[number]['name']
/** The names that `PLUMBLINE_MODULES` accepts. */
export const MODULES: readonly ModuleName[] = DECLARATIONS.map(({ name }) => name)

const ALL: readonly Declarations[] = [processDeclarations, ...DECLARATIONS]

type Part = 'sections' | 'permissions' | 'settings' | 'buckets'
type Together<U> = (U extends unknown ? (part: U) => void : never) extends (part: infer I) => void ? I : never

/** @throws Error for a name that two declarations have, because one would hide the other. */
export function declared<P extends Part>(part: P): { readonly [K in keyof Together<Each[P]>]: Together<Each[P]>[K] } {
  const owners = new Map<string, string>()
  for (const { name, [part]: own } of ALL) {
    for (const key of Object.keys(own)) {
      const other = owners.get(key)
      if (other !== undefined) throw new Error(`${other} and ${name} both declare ${key} among their ${part}`)
      owners.set(key, name)
    }
  }
  return Object.assign({}, ...ALL.map((each) => each[part])) as never
}
