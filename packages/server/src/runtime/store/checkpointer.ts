/**
 * Checkpoints SQLite's write-ahead log into the database on a separate thread. A checkpoint copies thousands of pages
 * and syncs the database. When the writer's own commit did it, every request would wait. Passive checkpoints block
 * nobody, and one at a time runs on a file, no matter who asks for it.
 */
import { Worker } from 'node:worker_threads'
import { sqliteDriver } from './sqlite-driver.js'

export interface Checkpointer {
  /** Ends the thread and closes its connection. */
  close(): Promise<void>
}

/** The interval between two looks at the log, while it grows and while it does not. */
const BUSY_MS = 50
const IDLE_MS = 1000

/** Plain JavaScript, which works however this package is built or run. */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads')
const Database = require(workerData.driver)
const connection = new Database(workerData.file)
connection.pragma('synchronous = FULL')
connection.pragma('busy_timeout = 0')
let folded = 0
let timer
function look() {
  let pauseMs = workerData.idleMs
  try {
    const [{ checkpointed }] = connection.pragma('wal_checkpoint(PASSIVE)')
    if (checkpointed !== folded) pauseMs = workerData.busyMs
    folded = checkpointed
  } catch (error) {
    // A full disk is met again by the writer, which says so.
    if (!/^SQLITE_(BUSY|LOCKED|FULL|IOERR)/.test(error.code ?? '')) throw error
  }
  timer = setTimeout(look, pauseMs)
}
parentPort.once('message', () => {
  clearTimeout(timer)
  connection.close()
  parentPort.close()
})
look()
`

/** @param onError Called when the thread ends unexpectedly. From then on the writer must checkpoint. */
export function checkpointBeside(file: string, onError: (error: unknown) => void): Checkpointer {
  const worker = new Worker(SCRIPT, {
    eval: true,
    execArgv: [],
    workerData: {
      driver: sqliteDriver().path,
      file,
      busyMs: BUSY_MS,
      idleMs: IDLE_MS,
    },
  })
  worker.on('error', onError)
  const ended = new Promise<void>((resolve) => void worker.once('exit', () => resolve()))
  // A process that does not close its store must still be able to exit.
  worker.unref()
  return {
    async close() {
      // Awaited, so it must keep the process alive again. Otherwise the process would exit here, before what follows
      // the store is closed.
      worker.ref()
      worker.postMessage('close')
      await ended
    },
  }
}
