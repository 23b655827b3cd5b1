/** The folder of the repository around a folder, without running git: it holds `.git`, a folder or (in a worktree) a file. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

export function findRepositoryRoot(folder: string): string | null {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current
    if (dirname(current) === current) return null
  }
}
