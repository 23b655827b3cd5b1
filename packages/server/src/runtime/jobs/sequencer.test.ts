/** Goal: whatever passes do and whenever it is woken, the sequencer runs one at a time and leaves no row that it was told of. */
import { setTimeout as realSleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSequencer, type SealPass, type Sequencer, type SequencerOptions } from './sequencer.js'

/** Null waits as long as it says; otherwise every pause is over at once, so that nothing but microtasks lies between passes. */
const pauses = { taken: null as number[] | null }
const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  if (pauses.taken === null) await realSleep(ms, undefined, { signal }).catch(() => undefined)
  else pauses.taken.push(ms)
}

const made: Sequencer[] = []
afterEach(async () => {
  pauses.taken = null
  vi.useRealTimers()
  await Promise.all(made.splice(0).map((sequencer) => sequencer.stop()))
})

class Conflict extends Error {}
const nothing: SealPass = { sealed: 0, left: false }

function sequencer(pass: () => Promise<SealPass>, more: Partial<SequencerOptions> = {}) {
  const counts = new Map<string, number>()
  const errors: unknown[] = []
  const each = createSequencer({
    pass,
    isConflict: (error) => error instanceof Conflict,
    pending: async () => ({ count: 0, ageMs: 0 }),
    metrics: {
      count: (name) => counts.set(name, (counts.get(name) ?? 0) + 1),
      gauge: (name, value) => counts.set(name, value),
    },
    onError: (error) => errors.push(error),
    pause,
    ...more,
  })
  made.push(each)
  return { it: each, counts, errors }
}

/** A few turns of the event loop, with everything that hangs on them. */
async function turns(count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((next) => setImmediate(next))
}

describe('a sequencer', () => {
  it('runs one pass at a time, and another one for what was committed meanwhile', async () => {
    let running = 0
    let most = 0
    let passes = 0
    let finish: () => void = () => undefined
    const { it: seq } = sequencer(async () => {
      passes += 1
      most = Math.max(most, ++running)
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      running -= 1
      return nothing
    })
    for (let count = 0; count < 5; count++) seq.wake()
    await turns()
    expect(passes).toBe(1)
    for (let count = 0; count < 5; count++) {
      seq.wake()
      await turns(1)
    }
    finish()
    await vi.waitFor(() => expect(passes).toBe(2), { timeout: 60_000 })
    finish()
    await realSleep(100)
    expect([passes, most]).toEqual([2, 1])
  })

  it('loses no wake-up, at whatever moment of a pass it comes', async () => {
    for (let hops = 0; hops < 40; hops++) {
      pauses.taken = []
      let passes = 0
      let seen = 0
      let committed = 1
      const { it: seq } = sequencer(async () => {
        passes += 1
        seen = committed
        if (passes === 1) {
          let hop = Promise.resolve()
          for (let count = 0; count < hops; count++) hop = hop.then(() => undefined)
          void hop.then(() => {
            committed += 1
            seq.wake()
          })
        }
        return nothing
      })
      seq.wake()
      await turns(10)
      expect([hops, seen, passes]).toEqual([hops, 2, 2])
      await seq.stop()
    }
  })

  it('goes on while rows are left', async () => {
    pauses.taken = []
    let rows = 7
    const { it: seq } = sequencer(async () => {
      const sealed = Math.min(rows, 3)
      rows -= sealed
      return { sealed, left: rows > 0 }
    })
    seq.wake()
    await turns()
    expect(rows).toBe(0)
  })

  it('repeats a pass that failed, tells of it, and waits longer each time', async () => {
    pauses.taken = []
    let passes = 0
    const {
      it: seq,
      errors,
      counts,
    } = sequencer(async () => {
      if (++passes <= 12) throw new Error(`failure ${passes}`)
      return nothing
    })
    seq.wake()
    await turns(20)
    expect(passes).toBe(13)
    expect(errors).toHaveLength(12)
    expect(counts.has('audit_append_retry_total')).toBe(false)
    expect(pauses.taken.slice(0, 3)).toEqual([100, 200, 400])
    expect(Math.max(...pauses.taken)).toBe(5000)
  })

  it('repeats at once where another process was first, and calls it a failure only when it never ends', async () => {
    pauses.taken = []
    let passes = 0
    const {
      it: seq,
      errors,
      counts,
    } = sequencer(async () => {
      if (++passes <= 11) throw new Conflict()
      return nothing
    })
    seq.wake()
    await turns(20)
    expect(passes).toBe(12)
    expect(counts.get('audit_append_retry_total')).toBe(10)
    expect(errors).toHaveLength(1)
    expect(Math.max(...pauses.taken.slice(0, 10))).toBeLessThanOrEqual(40)
  })

  it('counts conflicts and failures from the last success on', async () => {
    pauses.taken = []
    let passes = 0
    const { it: seq, errors } = sequencer(async () => {
      passes += 1
      // Ten conflicts, a success, ten conflicts, a success.
      if (passes % 11 !== 0) throw new Conflict()
      return { sealed: 1, left: passes < 22 }
    })
    seq.wake()
    await turns(40)
    expect([passes, errors.length]).toEqual([22, 0])
  })

  it('waits no longer after a success than after the first failure', async () => {
    pauses.taken = []
    let passes = 0
    const { it: seq } = sequencer(async () => {
      if (++passes % 2 === 1) throw new Error('away')
      return { sealed: 1, left: passes < 6 }
    })
    seq.wake()
    await turns(20)
    expect(pauses.taken.filter((ms) => ms >= 100)).toEqual([100, 100, 100])
  })

  it('does not spin while rows cannot be taken yet', async () => {
    pauses.taken = []
    let passes = 0
    const { it: seq } = sequencer(async () => ({ sealed: 0, left: ++passes < 60 }))
    seq.wake()
    await turns(20)
    expect(pauses.taken.slice(0, 3)).toEqual([4, 8, 12])
    expect(pauses.taken[55]).toBe(100)
  })

  it('finds rows that nobody announced, and shows what waits', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let rows = 0
    let passes = 0
    const { it: seq, counts } = sequencer(
      async () => {
        passes += 1
        rows = 0
        return nothing
      },
      { pending: async () => ({ count: rows, ageMs: 2500 }) },
    )
    seq.start()
    await turns()
    expect(passes).toBe(1)
    // The pause after a pass.
    await realSleep(100)
    vi.advanceTimersByTime(1000)
    await turns()
    expect([passes, counts.get('audit_outbox_pending')]).toEqual([1, 0])
    rows = 3
    vi.advanceTimersByTime(1000)
    await turns()
    expect(passes).toBe(2)
    expect([counts.get('audit_outbox_pending'), counts.get('audit_outbox_oldest_seconds')]).toEqual([3, 2.5])
  })

  it('looks once a second however often it is started, and no more when it is stopped', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let looks = 0
    const pending = async () => {
      looks += 1
      return { count: 0, ageMs: 0 }
    }
    const { it: seq } = sequencer(async () => nothing, { pending })
    seq.start()
    seq.start()
    vi.advanceTimersByTime(3000)
    expect(looks).toBe(3)
    await seq.stop()
    vi.advanceTimersByTime(3000)
    expect(looks).toBe(3)
  })

  it('tells of a look that failed, and looks again', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { it: seq, errors } = sequencer(async () => nothing, { pending: () => Promise.reject(new Error('away')) })
    seq.start()
    for (let second = 1; second <= 2; second++) {
      vi.advanceTimersByTime(1000)
      await turns()
      expect(errors).toHaveLength(second)
    }
  })

  it('drains until nothing waits, or says that something does', async () => {
    let rows = 3
    const { it: seq } = sequencer(
      async () => {
        rows = Math.max(0, rows - 1)
        return nothing
      },
      { pending: async () => ({ count: rows, ageMs: 0 }) },
    )
    expect(await seq.drain(10_000)).toBe(true)
    expect(rows).toBe(0)
    const { it: stuck } = sequencer(async () => nothing, { pending: async () => ({ count: 1, ageMs: 0 }) })
    expect(await stuck.drain(30)).toBe(false)
    await stuck.stop()
    // Longer than a test may take: one that is stopped does not wait for its deadline.
    expect(await stuck.drain(3_600_000)).toBe(false)
  })

  it('stops after the pass that runs, without waiting out a pause, and begins no other', async () => {
    let finish: () => void = () => undefined
    let passes = 0
    let isOver = false
    const { it: seq } = sequencer(async () => {
      passes += 1
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      isOver = true
      return { sealed: 1, left: true }
    })
    seq.wake()
    await turns()
    let isStopped = false
    const stopped = seq.stop().then(() => {
      isStopped = true
    })
    seq.wake()
    await turns()
    expect(isStopped).toBe(false)
    finish()
    await stopped
    expect(isOver).toBe(true)
    seq.wake()
    await realSleep(60)
    expect(passes).toBe(1)

    let paused = 0
    const untilStopped = (_ms: number, signal: AbortSignal) => {
      paused += 1
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    }
    const { it: pausing } = sequencer(() => Promise.reject(new Error('away')), { pause: untilStopped })
    pausing.wake()
    await vi.waitFor(() => expect(paused).toBe(1), { timeout: 60_000 })
    await pausing.stop()
  })
})
