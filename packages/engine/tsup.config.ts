import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineConfig, type Options } from 'tsup'
import { declarations } from '../../scripts/declarations.js'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    explain: 'src/explain/index.ts',
    lint: 'src/lint/index.ts',
    diff: 'src/diff/index.ts',
    sarif: 'src/sarif/index.ts',
    testing: 'src/testing/index.ts',
    standalone: 'src/standalone/index.ts',
    're2-wasm': 'src/re2-wasm.ts',
    positions: 'src/regex/positions/index.ts',
  },
  esbuildPlugins: [ownFile(/positions\/index\.js$/, 'positions')],
  format: ['esm', 'cjs'],
  dts: declarations(),
  // CommonJS entries share their chunks too: a rule set of one entry is known to the others.
  splitting: true,
  clean: true,
  treeshake: true,
  target: 'es2022',
  platform: 'neutral',
  /** The schema of rule files, as a file for editors: `$schema` names it. */
  async onSuccess() {
    const { rulesFileSchema } = await import(pathToFileURL(resolve('dist/index.js')).href)
    await writeFile(resolve('dist/schema.json'), `${JSON.stringify(rulesFileSchema, null, 2)}\n`)
  },
})

/** Imports of a module that is an entry as well go to the entry's file, so that it can be told apart in the output. */
function ownFile(filter: RegExp, entry: string): NonNullable<Options['esbuildPlugins']>[number] {
  return {
    name: `own-file-${entry}`,
    setup(build) {
      const extension = build.initialOptions.outExtension?.['.js'] ?? '.js'
      build.onResolve({ filter }, () => ({ path: `./${entry}${extension}`, external: true }))
    },
  }
}
