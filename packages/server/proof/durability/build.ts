/** Builds what a run needs: the process under test, and the shim where a compiler is. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../bundle.js'

export interface Built {
  /** The process under test. */
  readonly writer: string
  /** The shim, or why there is none. */
  readonly shim: { readonly file: string } | { readonly missing: string }
  clean(): void
}

export async function buildAll(): Promise<Built> {
  const { file, folder, clean } = await bundle('proof/durability/writer.ts')
  return { writer: file, shim: compileShim(folder), clean }
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
