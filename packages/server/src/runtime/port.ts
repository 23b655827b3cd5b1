/**
 * What one domain does for others, by a name that the runtime knows: `const compliancePort = port<CompliancePort>('compliance')`.
 * Manifests say which ports a domain provides and which it requires; a process without a provider does not start (ADR 101).
 */
export interface Port<T> {
  readonly name: string
  /** Never set: it carries the type. */
  readonly type?: T
}

export const port = <T>(name: string): Port<T> => ({ name })

/** What the domains of one process do for one another. */
export class Ports {
  readonly #provided = new Map<string, unknown>()

  /** In place of what was provided before; undefined takes it away. */
  set<T>({ name }: Port<T>, value: T | undefined): this {
    if (value === undefined) this.#provided.delete(name)
    else this.#provided.set(name, value)
    return this
  }

  find<T>({ name }: Port<T>): T | undefined {
    return this.#provided.get(name) as T | undefined
  }
}

/** Undefined where nobody provides it, as in tools that make a runtime of their own. */
export const findPort = <T>({ ports }: { readonly ports?: Ports }, wanted: Port<T>): T | undefined =>
  ports?.find(wanted)

/** @throws Error where nobody provides it: the composition of the process is wrong. */
export function requirePort<T>(runtime: { readonly ports?: Ports }, wanted: Port<T>): T {
  const found = findPort(runtime, wanted)
  if (found === undefined) throw new Error(`no domain provides the port "${wanted.name}"`)
  return found
}
