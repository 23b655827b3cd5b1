/**
 * `npm run figures [-- REF]`: prints statistics of the sources, of the working tree or of a commit, as a table. It
 * makes the numbers of a structure review comparable over time.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderCircles, type Import, importsOf } from './folder-circles.js'
import { longFunctions } from './long-functions.js'
import { citationsOf } from './specification.js'

const repository = fileURLToPath(new URL('..', import.meta.url))
const LINES_MAX = 70
const GENERATED = /^(packages\/client\/src\/api\.ts|packages\/engine\/src\/standalone\/runtime-source\.ts)$/

interface Source {
  readonly path: string
  readonly text: string
  readonly lines: number
}

function readSources(root: string): Source[] {
  return readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
    .map((path) => `packages/${path}`)
    .filter((path) => path.endsWith('.ts') && !/\/(node_modules|dist)\//.test(path))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, lines: text.split('\n').length - 1 }
    })
}

const isProduct = ({ path }: Source): boolean =>
  /^packages\/[^/]+\/src\//.test(path) && !/\.test(-d)?\.ts$/.test(path) && !GENERATED.test(path)

/** The value at the given share of the sorted numbers. */
const quantile = (numbers: readonly number[], share: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(share * (numbers.length - 1))] ?? 0

/** Counts the operations whose file has their name: `compliance.policy.clone` in `compliance/policy/clone.ts`. */
function operations(sources: readonly Source[]): string {
  const found = sources
    .filter(({ path }) => path.startsWith('packages/server/src/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^ {2,4}name: '([a-z]+(?:\.[a-z-]+){2})',\n {2,4}summary:/gm)].map(([, name = '']) => ({
        path,
        name,
      })),
    )
  const atHome = found.filter(({ path, name }) => path === `packages/server/src/${name.replaceAll('.', '/')}.ts`)
  const alone = found.filter(({ path, name }) => basename(path, '.ts') === name.split('.')[2])
  return `${alone.length} and ${atHome.length} of ${found.length}`
}

/** Code that is written by hand in several places, if a pattern can count it. */
const REPEATED: Readonly<Record<string, RegExp>> = {
  'definitions of a time constant': /^(?:export )?const (?:MS_PER_)?(?:DAY|HOUR|MINUTE|SECOND|WEEK)(?:_MS)? = /gm,
  'calls that seal with AES': /\bcreateCipheriv\(/g,
  'edit distances': /\beditDistance(?:\(a: |\(left: | = \()/g,
}

/** Counts the files outside of a folder that import from it. */
const importersOf = (imports: readonly Import[], folder: string): number =>
  new Set(imports.filter(({ from, to }) => to.startsWith(folder) && !from.startsWith(folder)).map(({ from }) => from))
    .size

/**
 * Counts citations of the specification that lead to no section here. Citations of documents that are stored elsewhere
 * count too.
 */
function unresolved(root: string, sources: readonly Source[]): number {
  const folder = join(root, 'docs', 'specification')
  const sections = new Set(
    existsSync(folder)
      ? readdirSync(folder).flatMap((file) =>
          [...readFileSync(join(folder, file), 'utf8').matchAll(/^#{2,3} (\d+(?:\.\d+)?[a-z]?)\.? /gm)].map(
            ([, number]) => `spec ${basename(file, '.md')} ${number}`,
          ),
        )
      : [],
  )
  return sources
    .flatMap(({ text }) => [
      ...citationsOf(text),
      ...(text.match(/\b(?:compliance|platform|billing|audit) decisions\b/g) ?? []),
    ])
    .filter((citation) => !sections.has(citation)).length
}

function figures(root: string): (readonly [string, string | number])[] {
  const all = readSources(root)
  const sources = all.filter(isProduct)
  const lengths = sources.map(({ lines }) => lines)
  const long = sources.flatMap(({ path, text }) => longFunctions(path, text, LINES_MAX))
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  const imports = importsOf([...texts.keys()], (path) => texts.get(path) ?? '')
  const circles = folderCircles(imports)
  const server = sources.filter(({ path }) => path.startsWith('packages/server/src/'))
  const generated = all.filter(({ path }) => GENERATED.test(path))
  const sum = (some: readonly Source[]): number => some.reduce((total, { lines }) => total + lines, 0)
  return [
    ['product files, lines', `${sources.length}, ${sum(sources)}`],
    [
      'lines of a file: median, p95, longest',
      `${quantile(lengths, 0.5)}, ${quantile(lengths, 0.95)}, ${Math.max(...lengths)}`,
    ],
    ["lines of the server's sources", sum(server)],
    [
      `functions of more than ${LINES_MAX} lines, longest`,
      `${long.length}, ${Math.max(LINES_MAX, ...long.map(({ lines }) => lines))}`,
    ],
    ['circles in folders, imports in them', `${circles.length}, ${circles.flatMap((each) => each.imports).length}`],
    ['operations in a file of their verb, and of noun and verb', operations(sources)],
    ['citations that lead nowhere', unresolved(root, sources)],
    ...Object.entries(REPEATED).map(
      ([what, form]) =>
        [what, sources.reduce((total, { text }) => total + [...text.matchAll(form)].length, 0)] as const,
    ),
    ['shared files that import the domain quota', importersOf(imports, 'packages/server/src/quota/')],
    ['lines of generated code', sum(generated)],
  ]
}

const [ref] = process.argv.slice(2)
const place = ref === undefined ? repository : mkdtempSync(join(tmpdir(), 'plumbline-figures-'))
try {
  if (ref !== undefined) {
    const tar = execFileSync('git', ['archive', ref, 'packages', 'docs'], { cwd: repository, maxBuffer: 1 << 30 })
    execFileSync('tar', ['-x', '-C', place], { input: tar })
  }
  console.log(`| ${ref ?? 'working tree'} | |\n|---|--:|`)
  for (const [name, value] of figures(place)) console.log(`| ${name} | ${value} |`)
} finally {
  if (ref !== undefined) rmSync(place, { recursive: true })
}
