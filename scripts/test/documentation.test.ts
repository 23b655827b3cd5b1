/**
 * Keeps documentation correct by running it: every fenced block marked `ts run` is executed as a module, every `yaml`
 * block parses, every relative link leads to an existing file and heading, and every path that a page names exists.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { fencedBlocks, pages, partsOf, root } from './pages.js'

const work = join(root, 'scripts', 'test', '.snippets')
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

/**
 * The folders that a path on a page may be relative to: a parent folder of the page, a package, its sources, or the
 * runtime of the server.
 */
const FOLDERS = [
  root,
  ...readdirSync(join(root, 'packages')).flatMap((name) => [join('packages', name), join('packages', name, 'src')]),
  join('packages', 'server', 'src', 'runtime'),
].map((folder) => resolve(root, folder))

/** A path with a folder and the extension of a source or page, or a path from the root of the repository. */
const NAMED_PATH =
  /^(?:(?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|cjs|md|sql)|(?:packages|scripts|samples|examples|docs|bench)\/[\w./-]+)$/

describe('paths that are named exist', () => {
  test.each(pages.map((page) => [relative(root, page), page] as const))('%s', (_name, page) => {
    const near = above(page).flatMap((folder) => [folder, join(folder, 'src')])
    const missing = partsOf(page)
      .prose.flatMap(({ text }) => [...text.matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map(([, code = '']) => code.trim()))
      .filter((code) => NAMED_PATH.test(code))
      .filter((path) => ![...near, ...FOLDERS].some((folder) => existsSync(join(folder, path))))
    expect(missing).toEqual([])
  })
})

/** The folders of a page, from its own up to the root. */
function above(page: string): string[] {
  const folders = [dirname(page)]
  while (folders.at(-1) !== resolve(root)) folders.push(dirname(folders.at(-1) as string))
  return folders
}

/** The anchors that a Markdown renderer generates for the headings. */
function headings(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#{1,6} +(.+)$/gm)].map(([, title = '']) =>
    title
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )
}
