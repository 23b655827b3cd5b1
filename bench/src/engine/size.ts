/** Size after bundling, minified and gzipped: the core without regular expression engines, and the whole entry. */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { BenchTable } from '../harness.js'

const CORE = "export { compileRules, evaluateRules, validateRule } from '@plumbline/engine'"

/** The engines for patterns that `RegExp` does not run: the package, and the engine's own. */
const ENGINES = ['re2js', '@plumbline/engine/positions']
const WHOLE = "export * from '@plumbline/engine'"

export async function sizeTable(engine: URL): Promise<BenchTable> {
  const row = async (name: string, source: string, external: readonly string[], budget: string) => {
    const { bytes, gzip } = await bundle(source, external, fileURLToPath(engine))
    return [name, kib(bytes), kib(gzip), budget]
  }
  return {
    title: 'Size in a bundle',
    unit: 'KiB, minified',
    columns: ['what', 'plain', 'gzip', 'budget, gzip'],
    rows: [
      await row('core, engines for patterns left out', CORE, ENGINES, '20'),
      await row('core with its own engine, re2js left out', CORE, ['re2js'], ''),
      await row('whole entry, engines for patterns left out', WHOLE, ENGINES, '60'),
      await row('whole entry with both engines', WHOLE, [], ''),
    ],
  }
}

async function bundle(
  contents: string,
  external: readonly string[],
  resolveDir: string,
): Promise<{ readonly bytes: number; readonly gzip: number }> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader: 'js' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: [...external],
  })
  const text = outputFiles[0]?.contents ?? new Uint8Array()
  return { bytes: text.length, gzip: gzipSync(text, { level: 9 }).length }
}

const kib = (bytes: number): string => (bytes / 1024).toFixed(1)
