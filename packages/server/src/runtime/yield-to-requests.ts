/**
 * The most turns of the event loop that requests get before long work continues, and how long a turn without requests
 * lasts.
 */
const TURNS_MAX = 4
const IDLE_TURN_MS = 0.25

/**
 * Yields the event loop to requests. Each request needs several turns, and would otherwise wait for the long work in
 * each of them.
 */
export async function giveWay(): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    const startedMs = performance.now()
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (performance.now() - startedMs < IDLE_TURN_MS) return
  }
}
