/** Sources, pages, tests and scripts, without installed files and without code that is generated. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './pages.js'

export interface SourceFile {
  /** Path from the root of the repository. */
  readonly path: string
  readonly text: string
}

const GENERATED = /^(packages\/client\/src\/api\.ts$|packages\/server\/src\/runtime\/store\/migrations\/)/

let found: readonly SourceFile[] | undefined

export function sourceFiles(): readonly SourceFile[] {
  found ??= execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
    .toString('utf8')
    .split('\0')
    .filter((path) => /\.(ts|tsx|mjs|cjs|md)$/.test(path) && !GENERATED.test(path) && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  return found
}
