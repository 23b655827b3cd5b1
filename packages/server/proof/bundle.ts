/** Builds a script of the proofs as one file beside the package's `migrations`, as a release is: it starts fast. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ownFolder = fileURLToPath(new URL('../', import.meta.url))

export interface Bundle {
  readonly folder: string
  readonly file: string
  clean(): void
}

let count = 0

/**
 * @param entry a path from the package's folder.
 * @param packageFolder another copy of the package, beside its neighbours.
 */
export async function bundle(entry: string, packageFolder = ownFolder): Promise<Bundle> {
  const packages = join(packageFolder, '..')
  const folder = join(packageFolder, `dist-proof-${process.pid}-${count++}`)
  const file = join(folder, 'script.mjs')
  await buildOne(join(packageFolder, entry), file, packages)
  // Processes of their own, which a release has beside it under these names.
  for (const what of ['archive', 'layer']) {
    const source = join(packageFolder, `src/plugin/${what}/reader-process.ts`)
    await buildOne(source, join(folder, `${what}-reader.js`), packages)
  }
  return { folder, file, clean: () => rmSync(folder, { recursive: true, force: true }) }
}

async function buildOne(entryPoint: string, outfile: string, packages: string): Promise<void> {
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
          builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' ? undefined : { path, external: true },
          )
        },
      },
    ],
  })
}
