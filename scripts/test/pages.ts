/** The pages of the documentation, and the blocks of code on them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Block {
  /** Path from the root of the repository. */
  readonly page: string
  /** Line of the opening fence, from 1. */
  readonly line: number
  readonly info: string
  readonly text: string
}

/** Absolute paths. */
export const pages: readonly string[] = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'examples', 'samples', 'packages'].flatMap((folder) =>
    existsSync(join(root, folder)) ? markdownBelow(join(root, folder)) : [],
  ),
].map((path) => resolve(root, path))

function markdownBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[\\/](node_modules|dist)[\\/]/.test(path))
}

/** The fenced code blocks of a page. A fence may be indented, as in a list. */
export function fencedBlocks(page: string): Block[] {
  return partsOf(page).blocks
}

interface Line {
  readonly line: number
  readonly text: string
}

/** The fenced blocks of a page, and the lines around them. */
export function partsOf(page: string): { blocks: Block[]; prose: Line[] } {
  const blocks: Block[] = []
  const prose: Line[] = []
  let open: { fence: string; info: string; line: number; text: string[] } | undefined
  for (const [index, text] of readFileSync(page, 'utf8').split('\n').entries()) {
    const fence = /^ *(`{3,})(.*)$/.exec(text)
    if (open === undefined && fence)
      open = { fence: fence[1] ?? '', info: (fence[2] ?? '').trim(), line: index + 1, text: [] }
    else if (open !== undefined && text.trim() === open.fence) {
      blocks.push({ page: relative(root, page), line: open.line, info: open.info, text: `${open.text.join('\n')}\n` })
      open = undefined
    } else if (open !== undefined) open.text.push(text)
    else prose.push({ line: index + 1, text })
  }
  return { blocks, prose }
}

export interface Snippet extends Line {
  readonly page: string
  /** Set in running text, where a command may be named without its arguments. */
  readonly isNamedOnly: boolean
}

const SHELL = /^(sh|bash|shell)$/

/**
 * Shell commands on a page: shell blocks, lines after a prompt in other blocks, lines of YAML (a pipeline runs
 * commands), and code in running text.
 */
export function shellSnippets(page: string): Snippet[] {
  const name = relative(root, page)
  const { blocks, prose } = partsOf(page)
  const shown = blocks.flatMap(({ line, info, text }) => {
    if (SHELL.test(info)) return [{ page: name, line: line + 1, text, isNamedOnly: false }]
    return text.split('\n').flatMap((each, below) => {
      const command = info === 'yaml' ? each : /^\$ (.*)$/.exec(each)?.[1]
      return command === undefined ? [] : [{ page: name, line: line + 1 + below, text: command, isNamedOnly: false }]
    })
  })
  const named = prose.flatMap(({ line, text }) =>
    [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({ page: name, line, text: code, isNamedOnly: true })),
  )
  return [...shown, ...named]
}
