/**
 * Documentation that is run can not rot: every fenced block marked `ts run` is executed as a module, every `yaml` block
 * parses, and every relative link leads to a file and a heading that exist.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

const root = fileURLToPath(new URL('../..', import.meta.url))
const work = join(root, 'scripts', 'test', '.snippets')

interface Block {
  readonly page: string
  readonly line: number
  readonly info: string
  readonly text: string
}

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'examples', 'samples', 'packages'].flatMap((folder) =>
    existsSync(join(root, folder)) ? markdownBelow(join(root, folder)) : [],
  ),
].map((path) => resolve(root, path))

const blocks = pages.flatMap(fencedBlocks)

beforeAll(() => {
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
})
afterAll(() => rmSync(work, { recursive: true, force: true }))

describe('snippets run', () => {
  const runnable = blocks.filter((block) => /^ts run\b/.test(block.info))
  test('there are some', () => expect(runnable.length).toBeGreaterThan(0))
  test.each(runnable.map((block) => [`${block.page}:${block.line}`, block] as const))('%s', async (_name, block) => {
    const file = join(work, `${block.page.replaceAll(/\W/g, '-')}-${block.line}.ts`)
    writeFileSync(file, block.text)
    await import(/* @vite-ignore */ pathToFileURL(file).href)
  })
})

describe('yaml and json snippets parse', () => {
  const yaml = blocks.filter((block) => /^(yaml|yml|json)$/.test(block.info))
  test.each(yaml.map((block) => [`${block.page}:${block.line}`, block] as const))('%s', (_name, block) => {
    for (const document of parseAllDocuments(block.text)) {
      expect('errors' in document ? document.errors.map((error) => error.message) : []).toEqual([])
    }
  })
})

describe('relative links lead somewhere', () => {
  test.each(pages.map((page) => [relative(root, page), page] as const))('%s', (_name, page) => {
    const prose = readFileSync(page, 'utf8').replaceAll(/^(`{3,}).*?^\1`*$/gms, '')
    const broken: string[] = []
    for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : resolve(dirname(page), path)
      if (!existsSync(file)) broken.push(target)
      else if (anchor !== undefined && file.endsWith('.md') && !headings(file).includes(anchor)) broken.push(target)
    }
    expect(broken).toEqual([])
  })
})

function markdownBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[\\/](node_modules|dist)[\\/]/.test(path))
}

function fencedBlocks(page: string): Block[] {
  const found: Block[] = []
  let open: { fence: string; info: string; line: number; text: string[] } | undefined
  readFileSync(page, 'utf8')
    .split('\n')
    .forEach((text, index) => {
      const fence = /^(`{3,})(.*)$/.exec(text)
      if (open === undefined && fence)
        open = { fence: fence[1] ?? '', info: (fence[2] ?? '').trim(), line: index + 1, text: [] }
      else if (open !== undefined && text.trim() === open.fence) {
        found.push({ page: relative(root, page), line: open.line, info: open.info, text: `${open.text.join('\n')}\n` })
        open = undefined
      } else open?.text.push(text)
    })
  return found
}

/** The anchors that a Markdown renderer makes of the headings. */
function headings(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#{1,6} +(.+)$/gm)].map(([, title = '']) =>
    title
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )
}
