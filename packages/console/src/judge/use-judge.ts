/** Sends each state of a draft to the worker, and returns only the newest verdict. */
import type { ImpactEntity } from '@plumbline/engine'
import { useEffect, useRef, useState } from 'react'
import type { Question, Verdict } from './messages.js'
import address from './worker.js?worker&url'

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): unknown }
}

let policy: ReturnType<Policies['createPolicy']> | undefined

/** Under Trusted Types a policy must allow the address of a worker. This one allows only the address from the build. */
function startWorker(): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies }
  policy ??= trustedTypes?.createPolicy('plumbline-worker', {
    createScriptURL(url) {
      if (url !== address) throw new TypeError('no other worker is started')
      return url
    },
  })
  return new Worker((policy?.createScriptURL(address) ?? address) as string, { type: 'module' })
}

/** @param former the stored rule that the draft edits; null for a new one. */
export function useJudge(draft: unknown, inventory: readonly ImpactEntity[] | null, former: unknown): Verdict | null {
  const worker = useRef<Worker | null>(null)
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const asked = useRef(0)
  useEffect(() => {
    const started = startWorker()
    worker.current = started
    started.onmessage = ({ data }: MessageEvent<Verdict>) => {
      if (data.id === asked.current) setVerdict(data)
    }
    return () => started.terminate()
  }, [])
  useEffect(() => {
    if (inventory !== null) worker.current?.postMessage({ kind: 'inventory', entities: inventory } satisfies Question)
  }, [inventory])
  // biome-ignore lint/correctness/useExhaustiveDependencies: judged again when the inventory arrives
  useEffect(() => {
    asked.current += 1
    worker.current?.postMessage({ kind: 'judge', id: asked.current, rule: draft, former } satisfies Question)
  }, [draft, inventory, former])
  return verdict
}
