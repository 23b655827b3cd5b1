/** Runs attacks round robin over their classes, so that a short run meets every class too. */
import { type Attack, attacksOn, judge, makeTarget, SETTINGS, type Target } from './tamper.js'

export interface TamperResult {
  readonly attacks: number
  readonly verifications: number
  readonly classes: number
  readonly failures: readonly string[]
}

/**
 * `attacks` null means every attack on one log. `part` of `parts` takes every so many-th attack of each class, so that several
 * processes can share one run.
 */
export function runTamper(
  attacks: number | null,
  seed: number,
  { part, parts }: { part: number; parts: number },
  progress: (done: number) => void,
): TamperResult {
  const failures: string[] = []
  let done = 0
  let classes = 0
  const budget = attacks ?? Number.POSITIVE_INFINITY
  for (let round = 0; done < budget && (attacks !== null || round === 0); round++) {
    const target = makeTarget(seed + round)
    const all = attacksOn(target)
    classes = all.length
    const own = all.map((each) => shareOf(each, part, parts))
    done += runRound(target, own, budget - done, failures, (count) => progress(done + count))
  }
  return { attacks: done, verifications: done * SETTINGS.length, classes, failures }
}

function runRound(
  target: Target,
  classes: readonly (readonly Attack[])[],
  budget: number,
  failures: string[],
  progress: (count: number) => void,
): number {
  let count = 0
  const longest = Math.max(...classes.map((attacks) => attacks.length))
  for (let turn = 0; turn < longest; turn++) {
    for (const attacks of classes) {
      const attack = attacks[turn]
      if (attack === undefined) continue
      if (count >= budget) return count
      count++
      const evil = attack.make()
      for (const setting of SETTINGS) {
        const failure = judge(target, attack, evil, setting)
        if (failure !== null) failures.push(failure)
      }
      if (count % 1000 === 0) progress(count)
    }
  }
  return count
}

/** A part of a class, in an order that spreads over the log: the stride is prime to the length. */
function shareOf(attacks: readonly Attack[], part: number, parts: number): Attack[] {
  const stride = attacks.length % 379 === 0 ? 1 : 379
  const order = attacks.map((_, turn) => attacks[(turn * stride) % attacks.length] as Attack)
  return order.filter((_, turn) => turn % parts === part - 1)
}
