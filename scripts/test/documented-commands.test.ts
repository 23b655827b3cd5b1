/**
 * Checks every `plumbline …` command in the documentation: the command exists, its options are its own, and choices and
 * numbers are valid. Nothing is run. Other tests follow single pages and check what the commands print.
 */
import { relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands } from '../../packages/cli/src/commands.js'
import { parseCommandLine } from '../../packages/cli/src/program/parse.js'
import { pages, root, shellSnippets } from './pages.js'
import { shellCommands } from './shell-commands.js'

/** Decisions and changelogs describe the past, so they are not checked. */
const today = pages.filter((page) => !/[\\/](decisions[\\/].*|CHANGELOG\.md)$/.test(page))

interface Shown {
  /** `docs/guide/tour.md:25`. */
  readonly place: string
  readonly argv: readonly string[]
  readonly isNamedOnly: boolean
}

/** Words that may come before the command: `npx --yes @plumbline/cli check`, `until plumbline whoami`. */
const BEFORE = /^(npx|exec|time|until|while|if|then|do|!|-.*|run:)$/
const NAMES = /^(plumbline|@plumbline\/cli(@[\d.]+)?)$/

function shownOn(page: string): Shown[] {
  return shellSnippets(page).flatMap(({ page: name, line, text, isNamedOnly }) => {
    // `rules|templates list` stands for several commands.
    if (isNamedOnly && text.includes('|')) return []
    // `<job>` stands for an argument. A shell would read it as a redirection.
    return shellCommands(text.replaceAll(/<[a-z][\w -]*>/g, '…')).flatMap(({ words, line: below }) => {
      const at = words.findIndex((word) => NAMES.test(word))
      if (at === -1 || !words.slice(0, at).every((word) => BEFORE.test(word))) return []
      return [{ place: `${name}:${line + below}`, argv: words.slice(at + 1), isNamedOnly }]
    })
  })
}

/** @returns the error that a user would get for this command line; null if it is valid. */
function problem({ argv, isNamedOnly }: Shown): string | null {
  // Stands for what was left out. In running text that is any number of arguments, in a command line exactly one.
  const words = argv.filter((word) => !isNamedOnly || word !== '…')
  const own = commands.filter(({ name }) => name === words[0])
  const outcome = parseCommandLine(own.length === 1 ? own : commands, words)
  switch (outcome.kind) {
    case 'run':
    case 'version':
      return null
    case 'help':
      return isNamedOnly || words.length === 0 || words.includes('--help') || words.includes('help')
        ? null
        : 'a word is missing: it shows help alone'
    case 'usage-error':
      return isNamedOnly && /missing required argument|argument missing/.test(outcome.message) ? null : outcome.message
  }
}

describe('a command line that a page shows', () => {
  it.each(today.map((page) => [relative(root, page), page] as const))('is understood: %s', (_name, page) => {
    const wrong = shownOn(page).flatMap((each) => {
      const message = problem(each)
      return message === null ? [] : [`${each.place}  plumbline ${each.argv.join(' ')}: ${message}`]
    })
    expect(wrong).toEqual([])
  })

  it('is found in blocks, behind prompts, in pipelines and in text', () => {
    const all = today.flatMap(shownOn)
    expect(all.filter(({ isNamedOnly }) => !isNamedOnly).length).toBeGreaterThan(150)
    expect(all.filter(({ isNamedOnly }) => isNamedOnly).length).toBeGreaterThan(30)
    const lines = all.map(({ argv }) => argv.join(' '))
    expect(lines).toContain('check plugins --rules rules')
    expect(lines.filter((line) => line.includes('--policy-from FETCH_HEAD'))).toHaveLength(1)
  })

  it('is told what is wrong with it', () => {
    const told = (line: string, isNamedOnly = false) =>
      problem({ place: '', argv: shellCommands(line)[0]?.words.slice(1) ?? [], isNamedOnly })
    expect(told('plumbline check plugins --rules rules')).toBeNull()
    expect(told('plumbline check --rulse rules')).toContain('--rulse')
    expect(told('plumbline chekc')).toContain('unknown command')
    expect(told('plumbline chekc', true)).toContain('unknown command')
    expect(told('plumbline check --format word')).toContain('expected one of')
    expect(told('plumbline restore')).toContain('missing required argument')
    expect(told('plumbline restore', true)).toBeNull()
    expect(told('plumbline audit')).toContain('a word is missing')
  })
})

describe('a piece of shell', () => {
  const words = (text: string) => shellCommands(text).map((command) => command.words)

  it('is read as a shell reads it', () => {
    expect(words('a "b c" \'d e\' f\\ g')).toEqual([['a', 'b c', 'd e', 'f g']])
    expect(words('X=1 a b > out.txt 2>&1 # c')).toEqual([['a', 'b']])
    expect(words('a | b && c; d &')).toEqual([['a'], ['b'], ['c'], ['d']])
    expect(words('X=$(a b | c) d "$(e f) g"')).toEqual([['a', 'b'], ['c'], ['e', 'f'], ['d', '$ g']])
    expect(words("cat > x <<'END'\nnot a command\nEND\na")).toEqual([['cat'], ['a']])
    expect(words('a \\\n  b\nc')).toEqual([['a', 'b'], ['c']])
    expect(shellCommands('a\n\nb \\\n c\nd').map(({ line }) => line)).toEqual([0, 2, 4])
  })
})
