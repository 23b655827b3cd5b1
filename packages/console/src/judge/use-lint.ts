/** Analyses rules in the worker, so that the page stays responsive while hundreds of rules are compared. */
import type { Rule } from '@plumbline/engine'
import { useEffect, useState } from 'react'
import type { Linted, Question } from './messages.js'
import { startWorker } from './start-worker.js'

/** @returns null until the worker has answered. */
export function useLint(rules: readonly Rule[] | null): readonly Linted[] | null {
  const [found, setFound] = useState<readonly Linted[] | null>(null)
  useEffect(() => {
    if (rules === null) return
    const worker = startWorker()
    worker.onmessage = ({ data }: MessageEvent<readonly Linted[]>) => setFound(data)
    worker.postMessage({ kind: 'lint', rules } satisfies Question)
    return () => worker.terminate()
  }, [rules])
  return found
}
