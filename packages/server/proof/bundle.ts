/** Builds a script of the proofs as one file beside the package's `migrations`, as a release is: it starts fast. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { forNode, readerEntries, workspaceSources } from './workspace-sources.mjs'

const ownFolder = fileURLToPath(new URL('../', import.meta.url))

export interface Bundle {
  readonly folder: string
  readonly file: string
  clean(): void
}

/** Text of a source that is another one in the bundle. */
export interface Planted {
  /** From the folder of the packages. */
  readonly file: string
  readonly find: string
  readonly put: string
}

let count = 0

/** What is planted in a proof is in the processes that it starts. */
const inherited = (): readonly Planted[] => JSON.parse(process.env['PLUMBLINE_PLANTED'] ?? '[]')

/**
 * @param entry a path from the package's folder.
 * @param packageFolder another copy of the package, beside its neighbours.
 * @param planted bugs: each text stands in its file once.
 */
export async function bundle(entry: string, packageFolder = ownFolder, planted = inherited()): Promise<Bundle> {
  const packages = join(packageFolder, '..')
  const folder = join(packageFolder, `dist-proof-${process.pid}-${count++}`)
  const file = join(folder, 'script.mjs')
  const sources = workspaceSources(packages)
  await build({
    ...forNode,
    entryPoints: [join(packageFolder, entry)],
    outfile: file,
    plugins: [planting(planted, packages), sources],
  })
  await build({ ...forNode, entryPoints: readerEntries(packages), outdir: folder, plugins: [sources] })
  return { folder, file, clean: () => rmSync(folder, { recursive: true, force: true }) }
}

const planting = (planted: readonly Planted[], packages: string): Plugin => ({
  name: 'planted',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const own = planted.filter(({ file }) => path === join(packages, file))
      if (own.length === 0) return undefined
      const contents = own.reduce((text, each) => plantedIn(text, each), readFileSync(path, 'utf8'))
      return { contents, loader: 'ts' }
    })
  },
})

/** @throws Error where the sources have changed, and nothing would be planted. */
function plantedIn(text: string, { file, find, put }: Planted): string {
  const places = text.split(find).length - 1
  if (places !== 1) throw new Error(`${file} holds the text of a planted bug ${places} times: ${find}`)
  return text.replace(find, () => put)
}
