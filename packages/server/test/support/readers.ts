/** The processes that read untrusted input for a server, as the system lists them. */
import { readdirSync, readFileSync } from 'node:fs'

/** The ids of the running readers of a process. Their program is `archive-reader` or `layer-reader`. */
export const readersOf = (parent: number, program: string): number[] =>
  attempt(() => readdirSync(`/proc/${parent}/task`), [])
    .flatMap((task) => said(`/proc/${parent}/task/${task}/children`).split(' ').filter(Boolean).map(Number))
    .filter((pid) => said(`/proc/${pid}/cmdline`).includes(program))

/** What a file of a process says; nothing when the process has ended meanwhile. */
export const said = (path: string): string => attempt(() => readFileSync(path, 'utf8'), '')

function attempt<T>(run: () => T, otherwise: T): T {
  try {
    return run()
  } catch {
    return otherwise
  }
}
