/** What a user's bundler keeps, minified and gzipped, the engines for regular expressions left out (spec compliance 4.9). */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

/** What runs patterns that `RegExp` does not. */
const ENGINES = ['re2js', './positions/index.js']

const entry = fileURLToPath(new URL('../../src/index.ts', import.meta.url))

const gzippedBytes = async (imports: string): Promise<number> => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export ${imports} from ${JSON.stringify(entry)}`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ENGINES,
    logLevel: 'silent',
  })
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length
}

describe('size', () => {
  it('the core is at most 20 KiB', async () => {
    expect(await gzippedBytes('{ compileRules, evaluateRules, validateRule }')).toBeLessThanOrEqual(20 * 1_024)
  })

  it('the whole entry is at most 60 KiB', async () => {
    expect(await gzippedBytes('*')).toBeLessThanOrEqual(60 * 1_024)
  })

  it('documentation stays out of the core', async () => {
    expect(await gzippedBytes('{ operators }')).toBeLessThan(await gzippedBytes('{ compileRules }'))
  })
})
