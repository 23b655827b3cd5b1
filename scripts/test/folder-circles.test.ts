/** No folder contains an import cycle, including imports of types, so that each can be read bottom-up. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { folderCircles, importsOf } from '../folder-circles.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'packages/*/src/*.ts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !/\.test(-d)?\.ts$/.test(file) && existsSync(join(root, file)))

it('no folder of a package holds a circle', () => {
  expect(files.length).toBeGreaterThan(1000)
  const imports = importsOf(files, (file) => readFileSync(join(root, file), 'utf8'))
  expect(imports.length).toBeGreaterThan(5000)
  const found = folderCircles(imports).map(
    ({ folder, children, imports: ties }) =>
      `${folder}: ${children.join(' and ')} import each other: ${ties.map(({ from, to }) => `${from} imports ${to}`).join(', ')}`,
  )
  expect(found).toEqual([])
})

const sources = (texts: Readonly<Record<string, string>>) =>
  folderCircles(importsOf(Object.keys(texts), (file) => texts[file] ?? '')).map(({ children }) => children)

it('finds a circle of folders that no two files make, by whatever import', () => {
  const up = { 'src/a/one.ts': "import { two } from '../b/two.js'", 'src/b/two.ts': '', 'src/a/three.ts': '' }
  expect(sources(up)).toEqual([])
  for (const back of [
    "import { three } from '../a/three.js'",
    "import type { Three } from '../a/three.js'",
    "export * from '../a/three.js'",
    "const load = () => import('../a/three.js')",
    "import '../a/three.js'",
  ]) {
    expect(sources({ ...up, 'src/b/four.ts': back })).toEqual([['a', 'b']])
  }
})

it('finds a circle of more than two, and one between a file and a folder', () => {
  expect(
    sources({
      'src/a/a.ts': "import '../b/b.js'",
      'src/b/b.ts': "import '../c.js'",
      'src/c.ts': "import './a/a.js'",
    }),
  ).toEqual([['a', 'b', 'c.ts']])
})
