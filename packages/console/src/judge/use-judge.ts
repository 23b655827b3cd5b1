/** Sends each state of a draft to the worker, and returns only the newest verdict. */
import type { ImpactEntity } from '@plumbline/engine'
import { useEffect, useRef, useState } from 'react'
import type { Case, Question, Verdict } from './messages.js'
import { startWorker } from './start-worker.js'

interface Judged {
  readonly draft: unknown
  readonly inventory: readonly ImpactEntity[] | null
  /** The stored rule that the draft edits; null for a new one. */
  readonly former: unknown
  /** The tests of the rule. */
  readonly cases: readonly Case[]
}

export function useJudge({ draft, inventory, former, cases }: Judged): Verdict | null {
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
    worker.current?.postMessage({ kind: 'judge', id: asked.current, rule: draft, former, cases } satisfies Question)
  }, [draft, inventory, former, cases])
  return verdict
}
