/** A folder of files for one test, removed afterwards. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface Workspace {
  readonly root: string
  write(name: string, content: string | Uint8Array): void
  read(name: string): string
  remove(name: string): void
  git(...args: string[]): string
}

/** Outside any repository, so that the command finds nothing of this project. */
export function workspace(files: Readonly<Record<string, string | Uint8Array>> = {}): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'plumbline-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const made: Workspace = {
    root,
    write(name, content) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), content)
    },
    read: (name) => readFileSync(join(root, name), 'utf8'),
    remove: (name) => rmSync(join(root, name)),
    git: (...args) => execFileSync('git', gitArguments(args), { cwd: root, encoding: 'utf8', stdio: 'pipe' }),
  }
  for (const [name, content] of Object.entries(files)) made.write(name, content)
  return made
}

function gitArguments(args: readonly string[]): string[] {
  const settings = ['user.name=Test', 'user.email=test@example.com', 'init.defaultBranch=main', 'commit.gpgsign=false']
  return [...settings.flatMap((setting) => ['-c', setting]), ...args]
}

/** Three plugin rules of three severities and one pipeline rule. */
export const rulesYaml = `rules:
  - name: no-root
    description: Containers do not run as root
    target: plugin
    severity: critical
    field: runAsRoot
    operator: neq
    value: true
  - name: short-timeout
    target: plugin
    field: timeout
    operator: lte
    value: 30
  - name: described
    target: plugin
    severity: warning
    field: description
    operator: notEmpty
  - name: has-stages
    target: pipeline
    severity: error
    field: $count(stages)
    operator: gt
    value: 0
`

/** Violates all three plugin rules: at lines 3, 4 and 1 (the description is absent). */
export const badPlugin = `name: web
version: 1.0.0
usesRootUser: true
timeout: 900
`

export const goodPlugin = `name: good
version: 1.0.0
description: a good plugin
usesRootUser: false
timeout: 5
`
