/** Starts the worker that has the engine. */
import address from './worker.js?worker&url'

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): unknown }
}

let policy: ReturnType<Policies['createPolicy']> | undefined

/** Under Trusted Types a policy must allow the address of a worker. This one allows only the address from the build. */
export function startWorker(): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies }
  policy ??= trustedTypes?.createPolicy('plumbline-worker', {
    createScriptURL(url) {
      if (url !== address) throw new TypeError('no other worker is started')
      return url
    },
  })
  return new Worker((policy?.createScriptURL(address) ?? address) as string, { type: 'module' })
}
