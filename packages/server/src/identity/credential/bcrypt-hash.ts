/**
 * Passwords that another system hashed with bcrypt: verified at sign-in, where a hash of ours takes their place. Source:
 * spec platform 4.5.
 */
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/** `$2a$`, `$2b$` and `$2y$` are one function; what is long ago (`$2$`, `$2x$`) is another. */
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
/** A stored hash takes no more time than this, no matter who wrote it: 2^14 rounds are about a second. */
const ROUNDS_LOG2 = { min: 4, max: 14 }

/** Plain JavaScript for whichever way this package is built or run. */
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
 * On a thread of its own, since the library would hold up the event loop. The password is taken byte by byte as it was typed,
 * and up to its 72nd byte, as the other system did.
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
