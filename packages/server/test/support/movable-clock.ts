/**
 * A clock that a test moves forward for the processes that it started. They use the time of the machine plus an offset.
 */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const LOOK_EVERY_MS = 20
/** Far longer than the interval of a look, because the processes share two cores with the test. */
const SEEN_MS = 500

/** Loaded before the program, which reads the time only with `Date.now`. */
const hook = (file: string) => `
import { readFileSync } from 'node:fs'
const real = Date.now
let aheadMs = 0
const look = () => { aheadMs = Number(readFileSync(${JSON.stringify(file)}, 'utf8')) }
look()
setInterval(look, ${LOOK_EVERY_MS}).unref()
Date.now = () => real() + aheadMs
`

export interface MovableClock {
  /** Flags of Node for processes that use this clock. */
  readonly flags: readonly string[]
  now(): number
  /** Resolves when the processes have seen the new time. */
  advance(ms: number): Promise<void>
  remove(): void
}

export function movableClock(): MovableClock {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-clock-'))
  const file = join(folder, 'ahead')
  const module = join(folder, 'hook.mjs')
  let aheadMs = 0
  const write = () => {
    writeFileSync(`${file}.new`, String(aheadMs))
    renameSync(`${file}.new`, file)
  }
  write()
  writeFileSync(module, hook(file))
  return {
    flags: ['--import', pathToFileURL(module).href],
    now: () => Date.now() + aheadMs,
    async advance(ms) {
      aheadMs += ms
      write()
      await sleep(SEEN_MS)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
