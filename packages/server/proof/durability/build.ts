/** Builds what a run needs: the process under test as one file, which starts fast, and the shim where a compiler is. */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const packageFolder = fileURLToPath(new URL('../../', import.meta.url))
const packages = fileURLToPath(new URL('../../../', import.meta.url))

export interface Built {
  /** The writer; beside `migrations`, as a release is. */
  readonly writer: string
  /** The shim, or why there is none. */
  readonly shim: { readonly file: string } | { readonly missing: string }
  clean(): void
}

export async function buildAll(): Promise<Built> {
  const folder = join(packageFolder, `dist-proof-${process.pid}`)
  const writer = join(folder, 'writer.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('writer.ts', import.meta.url))],
    outfile: writer,
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
  return { writer, shim: compileShim(folder), clean: () => rmSync(folder, { recursive: true, force: true }) }
}

function compileShim(folder: string): Built['shim'] {
  if (process.platform !== 'linux') return { missing: 'the shim is made for Linux' }
  const file = join(folder, 'shim.so')
  try {
    const source = fileURLToPath(new URL('shim.c', import.meta.url))
    execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-o', file, source, '-ldl', '-lpthread'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    return { file }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { missing: 'no gcc here' }
    throw error
  }
}
