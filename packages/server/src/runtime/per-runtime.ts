/** What the operations and jobs of a domain share in one process. */
import type { Runtime } from './operation/context.js'

/** Made on first use, once for each runtime. */
export function perRuntime<T>(make: (runtime: Runtime) => T): (runtime: Runtime) => T {
  const made = new WeakMap<Runtime, { readonly value: T }>()
  return (runtime) => {
    const known = made.get(runtime)
    if (known !== undefined) return known.value
    const value = make(runtime)
    made.set(runtime, { value })
    return value
  }
}
