/**
 * Parts of the page that are loaded when they are needed. While the server does not answer, a part is asked for again
 * and again, so that the page keeps what was typed in it. Only a part that the server no longer has, after an update,
 * fails.
 */
import { createStore } from './store.js'

/** How many parts wait for a server that does not answer. */
export const partsMissing = createStore(0)

const WAIT_MS_MAX = 5000

/** Ends early when the browser has a network again. */
const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    const end = () => {
      removeEventListener('online', end)
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
  })

async function answers(): Promise<boolean> {
  try {
    return (await fetch(location.href, { method: 'HEAD', cache: 'no-store' })).ok
  } catch {
    return false
  }
}

/** @throws what the last try threw, if the server answers and does not have the part. */
export async function arriving<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    partsMissing.set(partsMissing.get() + 1)
    try {
      for (let waitMs = 500; !(await answers()); waitMs = Math.min(waitMs * 2, WAIT_MS_MAX)) await pause(waitMs)
      return await load()
    } finally {
      partsMissing.set(partsMissing.get() - 1)
    }
  }
}
