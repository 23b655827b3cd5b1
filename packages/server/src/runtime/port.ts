/**
 * What one domain provides to others, by a name: `const compliancePort = port<CompliancePort>('compliance')`. Manifests
 * declare which ports a domain provides and requires. A process without a required provider does not start (ADR 101).
 */
export interface Port<T> {
  readonly name: string
  /** Never set. It only carries the type. */
  readonly type?: T
}

export const port = <T>(name: string): Port<T> => ({ name })

/** The ports of the domains of one process. */
export class Ports {
  readonly #provided = new Map<string, unknown>()

  /** Replaces what was provided before; undefined removes it. */
  set<T>({ name }: Port<T>, value: T | undefined): this {
    if (value === undefined) this.#provided.delete(name)
    else this.#provided.set(name, value)
    return this
  }

  find<T>({ name }: Port<T>): T | undefined {
    return this.#provided.get(name) as T | undefined
  }
}

/** Returns undefined when nothing provides the port, as in tools that make a runtime of their own. */
export const findPort = <T>({ ports }: { readonly ports?: Ports }, wanted: Port<T>): T | undefined =>
  ports?.find(wanted)

/** @throws Error when nothing provides the port, because the process was composed incorrectly. */
export function requirePort<T>(runtime: { readonly ports?: Ports }, wanted: Port<T>): T {
  const found = findPort(runtime, wanted)
  if (found === undefined) throw new Error(`no domain provides the port "${wanted.name}"`)
  return found
}
