/**
 * A stand-in for an edge runtime: a separate context with a few web APIs, without `process`, `require`, `Buffer`, or
 * code from strings. Imports reach only the modules that were deployed.
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
