/** A time limit that does not run while somebody else is waited for. */
export interface Countdown {
  pause(): void
  resume(): void
  end(): void
}

/** Runs from the start. @param over called once, when the time is over. */
export function countdown(ms: number, over: () => void): Countdown {
  let leftMs = ms
  let sinceMs = performance.now()
  let timer: NodeJS.Timeout | undefined = setTimeout(over, leftMs)
  const pause = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    leftMs -= performance.now() - sinceMs
  }
  return {
    pause,
    resume() {
      if (timer !== undefined) return
      sinceMs = performance.now()
      timer = setTimeout(over, Math.max(0, leftMs))
    },
    end: pause,
  }
}

/** The pieces of a source, while whose waits the time stands still. */
export async function* unhurried<T>(pieces: AsyncIterable<T>, clock: Countdown): AsyncGenerator<T> {
  // guard: a-slow-registry-does-not-make-the-reader-late
  clock.pause()
  try {
    for await (const piece of pieces) {
      clock.resume()
      yield piece
      clock.pause()
    }
  } finally {
    clock.resume()
  }
}
