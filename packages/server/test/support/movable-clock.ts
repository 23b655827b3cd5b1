/** A clock that a test moves forward for processes that it started: they run on the machine's time and a distance from it. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const LOOK_EVERY_MS = 20
/** Far more than a look: the processes share two cores with the test. */
const SEEN_MS = 500

/** Loaded before the program. The program asks `Date.now` for the time and nothing else. */
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
  /** For the processes that follow it. */
  readonly flags: readonly string[]
  now(): number
  /** Resolves when they have seen it. */
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
