/**
 * No text tells people to run a package that is not ours. The name `plumbline` on npm belongs to another project, and
 * `@plumbline/cli` must be named with its version.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { commands } from '../../packages/cli/src/commands.js'
import { starterFiles } from '../../packages/cli/src/init/starter-files.js'
import { parseCommandLine } from '../../packages/cli/src/program/parse.js'
import { root } from './pages.js'

const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as { version: string }

/**
 * Pages, messages, workflows and scripts: every text of the repository except tests, decisions and commands for a
 * clone.
 */
const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((name) => /\.(md|ts|mjs|ya?ml|json|sh)$|^Dockerfile$/.test(name))
  .filter((name) => !/\.test\.ts$|^packages\/[^/]+\/test\/|^docs\/decisions\/|^package-lock\.json$/.test(name))
  .filter((name) => existsSync(join(root, name)))

/** Sections that are explicitly about a clone. */
const IN_A_CLONE: readonly (readonly [page: string, from: RegExp, to: RegExp])[] = [
  ['README.md', /^With Node .* in a clone:$/m, /^## What is in the box$/m],
  ['docs/guide/installing-the-cli.md', /^## In a clone of Plumbline$/m, /^## In your own repository$/m],
]

function textOf(name: string): string {
  const text = readFileSync(join(root, name), 'utf8')
  const section = IN_A_CLONE.find(([page]) => page === name)
  if (section === undefined) return text
  const [, from, to] = section
  const [start, end] = [from.exec(text)?.index ?? -1, to.exec(text)?.index ?? -1]
  expect([start > 0, end > start], `the section of ${name}`).toEqual([true, true])
  return text.slice(0, start) + text.slice(end)
}

const mistakes = (text: string): string[] => [
  ...[...text.matchAll(/\bn(?:px|pm (?:i|install|exec))(?: -{1,2}\S*)* plumbline\b.*/g)].map(([found]) => found),
  // With `--no`, npx downloads nothing and runs what is installed.
  ...[...text.matchAll(/\bnpx(?: -{1,2}\S*)* @plumbline\/\w+[\w@.${}/-]*/g)]
    .map(([found]) => found.replace(/\.$/, ''))
    .filter((found) => !found.includes(' --no ') && !found.endsWith(`@${version}`) && !/@\$\{version\}/.test(found)),
]

describe('the names of packages', () => {
  it.each(files.filter((name) => mistakes(readFileSync(join(root, name), 'utf8')).length > 0))(
    'are ours, and have their version: %s',
    (name) => expect(mistakes(textOf(name))).toEqual([]),
  )

  it('are looked for in every form', () => {
    expect(mistakes('npx plumbline check')).toHaveLength(1)
    expect(mistakes('npx --yes plumbline check')).toHaveLength(1)
    expect(mistakes('npm install plumbline')).toHaveLength(1)
    expect(mistakes('npx --yes @plumbline/cli check')).toHaveLength(1)
    expect(mistakes(`npx --yes @plumbline/cli@${version} check`)).toEqual([])
    expect(mistakes('npx --no -- @plumbline/cli check')).toEqual([])
    expect(files.length).toBeGreaterThan(500)
  })

  it('are right in what `init` writes', () => {
    const texts = (['github', 'gitlab'] as const).flatMap((ci) => starterFiles(ci, []).map(({ text }) => text))
    expect(texts.flatMap(mistakes)).toEqual([])
  })
})

describe('what other tools read of this repository', () => {
  const argvOf = (line: string) => line.split(' ').slice(line.split(' ').indexOf('@plumbline/cli') + 1)

  it('has hooks for pre-commit whose commands exist', () => {
    const hooks = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as { entry: string }[]
    expect(hooks).toHaveLength(3)
    for (const { entry } of hooks) {
      expect(entry).toMatch(/^npx --no -- @plumbline\/cli /)
      expect(parseCommandLine(commands, argvOf(entry))).toMatchObject({ kind: 'run' })
    }
  })

  it('has a GitHub action that puts no input into a script', () => {
    const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as { runs: { steps: { run?: string }[] } }
    const scripts = action.runs.steps.flatMap(({ run }) => run ?? [])
    expect(scripts.length).toBe(2)
    for (const script of scripts) expect(script).not.toContain('${{')
  })
})
