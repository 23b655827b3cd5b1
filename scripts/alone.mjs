/**
 * One command at a time installs packages or builds in this folder: two at once remove what the other one writes. It must
 * not import an installed package.
 */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const ASKED_AGAIN_MS = 250
/** Longer than an install and a build take. After a restart of the machine its id may be that of another process. */
const HELD_MS_MAX = 30 * 60_000

/**
 * Waits for the command that holds `lock`, then runs `work`. A lock counts as free when its process has ended, or after half an
 * hour.
 *
 * @template T
 * @param {string} lock the path of the lock, a file with the id of the process that holds it
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(lock, work) {
  for (let told = ''; !taken(lock); ) {
    const holder = holderOf(lock)
    if (holder !== null && (isOld(lock) || (holder !== '' && !isRunning(Number(holder))))) free(lock, holder)
    else if (holder && told === '') {
      console.error(`Waiting for process ${holder}, which installs or builds in this folder`)
      told = holder
    }
    await sleep(ASKED_AGAIN_MS)
  }
  const release = () => {
    if (holderOf(lock) === String(process.pid)) rmSync(lock, { force: true })
  }
  // A failed step ends the process without coming back here.
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.removeListener('exit', release)
    release()
  }
}

function taken(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

/** The id of a process; empty while the lock is being written, and null when it is gone. */
function holderOf(lock) {
  try {
    return readFileSync(lock, 'utf8')
  } catch {
    return null
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user may not be signalled, but it is there.
    return error.code === 'EPERM'
  }
}

function isOld(lock) {
  try {
    return Date.now() - statSync(lock).mtimeMs > HELD_MS_MAX
  } catch {
    return false
  }
}

/** Moves the lock away first: meanwhile another command may have freed and taken it. */
function free(lock, holder) {
  const moved = `${lock}-${process.pid}`
  try {
    renameSync(lock, moved)
  } catch {
    return
  }
  if (holderOf(moved) === holder) rmSync(moved)
  else renameSync(moved, lock)
}
