/**
 * One builder works in a folder. A second one of the same name would remove the files of the first, and kill what runs
 * in its cgroups.
 */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CannotStart } from '../../runtime/cannot-start.js'

const FILE = 'builder.pid'

/**
 * For what is not in the folder: builders of one name may work in two folders of a machine, and a builder that starts
 * ends what one in its own folder left.
 */
export function nameIn(folder: string, name: string): string {
  // guard: builders-of-one-name-do-not-end-each-others-builds
  return `${name}+${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 12)}`
}

/** @throws CannotStart */
export function makeOwn(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o711 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CannotStart(`${folder} cannot be made (${code}): name another --scratch`)
  }
  checkOwn(folder)
}

/** Every user can write to the system's temporary folder, so a folder with our name may belong to another user. */
export function checkOwn(folder: string): void {
  const found = lstatSync(folder)
  // guard: the-scratch-of-a-builder-is-its-own
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new CannotStart(
      `${folder} belongs to another user, or others can write to it: remove it, or name another --scratch`,
    )
  }
}

/**
 * @returns Gives the folder back.
 * @throws CannotStart when another builder, which still runs, has taken the folder.
 */
export function takeFolder(folder: string): () => void {
  const file = join(folder, FILE)
  const own = `${process.pid} ${startOf(process.pid)}\n`
  for (let tries = 0; tries < 2; tries++) {
    try {
      writeFileSync(file, own, { flag: 'wx', mode: 0o600 })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const pid = runningIn(file)
      // guard: a-builder-has-its-name-for-itself
      if (pid !== null && pid !== process.pid) {
        throw new CannotStart(
          `another builder (process ${pid}) works in ${folder}: stop it, or give this one another --name or --scratch`,
        )
      }
      rmSync(file, { force: true })
    }
  }
  throw new CannotStart(`other builders are starting in ${folder}: give each its own --name or --scratch`)
}

/** The process that took the folder, unless it ended: another process may have its number by now. */
function runningIn(file: string): number | null {
  const [pid = '', start = ''] = textOf(file).trim().split(' ')
  return /^\d+$/.test(pid) && start !== '' && startOf(Number(pid)) === start ? Number(pid) : null
}

/** When the process started, as the kernel counts; the name of a program may contain spaces and brackets. */
function startOf(pid: number): string {
  const text = textOf(`/proc/${pid}/stat`)
  return text.slice(text.lastIndexOf(') ') + 2).split(' ')[19] ?? ''
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
