/** Sends every case through one sender, and counts who was reached. */
import fc from 'fast-check'
import { canary } from './canary.js'
import { type Case, caseOf } from './cases.js'
import type { NameServer } from './dns.js'
import { isPublicByRegistry } from './registry.js'

export type Send = (url: string, headers: Record<string, string>, timeoutMs: number) => Promise<unknown>

export interface Run {
  readonly cases: number
  /** Connections to addresses that are not public, by the kind of case. */
  readonly hits: Readonly<Record<string, number>>
  readonly examples: readonly string[]
  /** Connections to public addresses. */
  readonly reached: number
  readonly slowestMs: number
}

const PORTS = [80, 443, 8080, 9200]
const TIMEOUT_MS = 400
/** Of one kind at a time: a hit is known to be of it. */
const AT_ONCE = 40

export async function runCases(
  send: Send,
  names: NameServer,
  { cases: count, seed, kinds }: { cases: number; seed: number; kinds?: readonly Case['kind'][] },
): Promise<Run> {
  const listeners = await Promise.all(PORTS.map((port) => canary(port, isPublicByRegistry)))
  const cases = Array.from({ length: count }, (_, at) => {
    const [made] = fc.sample(caseOf(`c${seed}-${at}.hooks.test`), { seed: seed * 1_000_003 + at, numRuns: 1 })
    if (made === undefined) throw new Error('no case was made')
    return made
  }).filter(({ kind }) => kinds === undefined || kinds.includes(kind))
  const hits: Record<string, number> = {}
  const examples: string[] = []
  let slowestMs = 0
  for (const kind of new Set(cases.map((each) => each.kind))) {
    const wanted = cases.filter((each) => each.kind === kind)
    for (let at = 0; at < wanted.length; at += AT_ONCE) {
      const group = wanted.slice(at, at + AT_ONCE)
      await Promise.all(
        group.map(async (each) => {
          if (each.answers.length > 0) names.set(each.host, each.answers)
          // A name that changes its answer is asked again by the next attempt.
          for (let attempt = 0; attempt < Math.max(1, each.answers.length); attempt++) {
            const startedMs = performance.now()
            await send(each.url, { 'X-Behaviour': JSON.stringify(each.behaviour) }, TIMEOUT_MS).catch(() => undefined)
            slowestMs = Math.max(slowestMs, performance.now() - startedMs)
          }
        }),
      )
      await new Promise((resolve) => setTimeout(resolve, 5))
      for (const hit of listeners.flatMap((each) => each.takeHits())) {
        hits[kind] = (hits[kind] ?? 0) + 1
        if (examples.length < 10) examples.push(`${kind}: ${hit}`)
      }
    }
  }
  const reached = listeners.reduce((sum, each) => sum + each.reached, 0)
  for (const each of listeners) each.close()
  return { cases: cases.length, hits, examples, reached, slowestMs: Math.round(slowestMs) }
}
