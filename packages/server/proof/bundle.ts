/** Builds a script of the proofs as one file beside the package's `migrations`, as a release is: it starts fast. */
import { rmSync } from 'node:fs'
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
  await build({
    entryPoints: [join(packageFolder, entry)],
    outfile: file,
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
            return { path: join(packages, name, 'src', `${part ?? 'index'}.ts`) }
          })
          builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' ? undefined : { path, external: true },
          )
        },
      },
    ],
  })
  return { folder, file, clean: () => rmSync(folder, { recursive: true, force: true }) }
}
