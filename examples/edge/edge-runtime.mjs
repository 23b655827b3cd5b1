/**
 * A stand-in for a runtime at the edge: a context of its own with a few web APIs, no `process`, no `require`, no
 * `Buffer`, and no code from strings. Imports reach only the modules it was deployed with.
 */
import { createContext, SourceTextModule } from 'node:vm'

/** @param {Record<string, string>} files sources by name; `main` is the entry */
export async function deploy(files, main) {
  const context = createContext(
    { Request, Response, Headers, URL, TextEncoder, TextDecoder },
    { codeGeneration: { strings: false, wasm: false } },
  )
  const modules = new Map()
  const load = (name) => {
    if (!(name in files)) throw new Error(`the worker imports ${name}, which was not deployed`)
    if (!modules.has(name)) modules.set(name, new SourceTextModule(files[name], { context, identifier: name }))
    return modules.get(name)
  }
  const entry = load(main)
  await entry.link((specifier) => load(specifier.replace(/^\.\//, '')))
  await entry.evaluate()
  return entry.namespace.default
}
