/** Builds a script of the proofs as one file beside the package's `migrations`, as a release is: it starts fast. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

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
  await buildOne(join(packageFolder, entry), file, packages, planted)
  // Processes of their own, which a release has beside it under these names.
  for (const what of ['archive', 'layer']) {
    const source = join(packageFolder, `src/plugin/${what}/reader-process.ts`)
    await buildOne(source, join(folder, `${what}-reader.js`), packages)
  }
  return { folder, file, clean: () => rmSync(folder, { recursive: true, force: true }) }
}

async function buildOne(
  entryPoint: string,
  outfile: string,
  packages: string,
  planted: readonly Planted[] = [],
): Promise<void> {
  await build({
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    plugins: [
      {
        name: 'workspace',
        setup(builder) {
          builder.onResolve({ filter: /^@plumbline\// }, ({ path }) => {
            const [, name = '', part] = path.split('/')
            const own = join(packages, name, 'src', part ?? 'index')
            return { path: existsSync(`${own}.ts`) ? `${own}.ts` : join(own, 'index.ts') }
          })
          builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const own = planted.filter(({ file }) => path === join(packages, file))
            if (own.length === 0) return undefined
            const contents = own.reduce((text, each) => plantedIn(text, each), readFileSync(path, 'utf8'))
            return { contents, loader: 'ts' }
          })
          builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' ? undefined : { path, external: true },
          )
        },
      },
    ],
  })
}

/** @throws Error where the sources have changed, and nothing would be planted. */
function plantedIn(text: string, { file, find, put }: Planted): string {
  const places = text.split(find).length - 1
  if (places !== 1) throw new Error(`${file} holds the text of a planted bug ${places} times: ${find}`)
  return text.replace(find, () => put)
}
