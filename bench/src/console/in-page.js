/** Runs in each page before its own scripts, and measures what a person would see. Times are ms since the page began. */
const state = { paintedMs: 0, worstMs: 0, key: null }

new PerformanceObserver((list) => {
  for (const { startTime } of list.getEntries()) state.paintedMs = startTime
}).observe({ type: 'largest-contentful-paint', buffered: true })

// The delay of an interaction: from the key or the click to the next frame that shows its effect.
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries())
    if (interactionId > 0) state.worstMs = Math.max(state.worstMs, duration)
}).observe({ type: 'event', durationThreshold: 16, buffered: true })

/** The time after the next frame is drawn. */
const drawn = () =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0)))

globalThis.bench = {
  paintedMs: () => state.paintedMs,

  worstMs() {
    const { worstMs } = state
    state.worstMs = 0
    return worstMs
  },

  /** @returns ms from the last byte of the answer that `part` of an address names until so many rows are drawn. */
  async rowsMs(part, rows) {
    while (document.querySelectorAll('main tbody tr').length < rows) await new Promise(requestAnimationFrame)
    const endMs = await drawn()
    const answers = performance.getEntriesByType('resource').filter(({ name }) => name.includes(part))
    return endMs - Math.max(...answers.map(({ responseEnd }) => responseEnd))
  },

  /** Watches for the next key, and for the first change of this element after it. */
  watchKey(selector) {
    state.key = new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error('the key changed nothing')), 30_000)
      const onKey = ({ timeStamp }) => {
        const observer = new MutationObserver(async () => {
          observer.disconnect()
          resolve((await drawn()) - timeStamp)
        })
        const changes = { subtree: true, childList: true, characterData: true }
        observer.observe(document.querySelector(selector), changes)
      }
      addEventListener('keydown', onKey, { capture: true, once: true })
    })
  },

  /** @returns ms from the watched key to the frame that shows the change. */
  keyMs: () => state.key,

  /** Goes to a screen of the console without loading the page again. */
  go(path) {
    history.pushState({}, '', path)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  },
}
