/**
 * Passwords that another system hashed with bcrypt. They are verified at sign-in, and then our own hash replaces them.
 * Source: spec platform 4.5.
 */
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/** `$2a$`, `$2b$` and `$2y$` are one function; the obsolete `$2$` and `$2x$` are another. */
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
/** Bounds the time that a stored hash can cost, no matter where it comes from: 2^14 rounds are about a second. */
const ROUNDS_LOG2 = { min: 4, max: 14 }

/** Plain JavaScript, so that the worker runs no matter how this package is built. */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads')
const bcrypt = require(workerData.library)
parentPort.postMessage(bcrypt.compareSync(workerData.password, workerData.stored))
`

export function isBcrypt(stored: string): boolean {
  const rounds = Number(BCRYPT.exec(stored)?.[1] ?? Number.NaN)
  return rounds >= ROUNDS_LOG2.min && rounds <= ROUNDS_LOG2.max
}

/**
 * Runs on its own thread, because the library would block the event loop. As in the other system, the password is used
 * byte by byte as typed, up to its 72nd byte.
 */
export async function verifyBcrypt(password: string, stored: string): Promise<boolean> {
  const worker = new Worker(SCRIPT, {
    eval: true,
    execArgv: [],
    workerData: { library: createRequire(import.meta.url).resolve('bcryptjs'), password, stored },
  })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
