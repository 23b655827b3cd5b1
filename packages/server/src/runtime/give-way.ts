/** Turns that requests may take before long work goes on, and how long one is in which there were none. */
const TURNS_MAX = 4
const IDLE_TURN_MS = 0.25

/** Leaves the process to requests: each goes through it in several turns, and would wait for the work in every one. */
export async function giveWay(): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    const startedMs = performance.now()
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (performance.now() - startedMs < IDLE_TURN_MS) return
  }
}
