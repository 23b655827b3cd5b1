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
    words: 'src/words/index.ts',
    're2-wasm': 'src/re2-wasm.ts',
    positions: 'src/regex/positions/index.ts',
  },
  esbuildPlugins: [
    ownEntry(/positions\/index\.js$/, 'positions'),
    optionalPeer('fast-check', '@plumbline/engine/testing', 'npm install --save-dev fast-check@4', ['default']),
    optionalPeer('re2-wasm', '@plumbline/engine/re2-wasm', 'npm install re2-wasm', ['RE2']),
  ],
  // For `optionalPeer` to see them; they stay external.
  noExternal: ['fast-check', 're2-wasm'],
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

/** Imports of a module that is an entry as well go to the entry by its public name, so that bundlers can leave it out. */
function ownEntry(filter: RegExp, entry: string): NonNullable<Options['esbuildPlugins']>[number] {
  return {
    name: `own-entry-${entry}`,
    setup(build) {
      build.onResolve({ filter }, () => ({ path: `@plumbline/engine/${entry}`, external: true }))
    },
  }
}

/** A package that users install themselves: where it is missing the import says what needs it and how to install it. */
function optionalPeer(
  name: string,
  entry: string,
  command: string,
  exports: readonly string[],
): NonNullable<Options['esbuildPlugins']>[number] {
  const message = `${entry} needs ${name}, which is not installed: run \`${command}\``
  return {
    name: `optional-peer-${name}`,
    setup(build) {
      // tsup turns ES modules into CommonJS afterwards, so the format does not tell.
      const isEsm = build.initialOptions.outExtension?.['.js'] !== '.cjs'
      build.onResolve({ filter: new RegExp(`^${name}$`) }, ({ namespace }) =>
        namespace === 'optional-peer' ? { path: name, external: true } : { path: name, namespace: 'optional-peer' },
      )
      build.onLoad({ filter: new RegExp(`^${name}$`), namespace: 'optional-peer' }, () => ({
        resolveDir: process.cwd(),
        contents: `let peer
try {
  peer = ${isEsm ? `await import('${name}')` : `require('${name}')`}
} catch (cause) {
  if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(cause.code)) throw cause
  throw Object.assign(new Error(${JSON.stringify(message)}, { cause }), { code: cause.code })
}
${exports.map((each) => (each === 'default' ? 'export default peer.default ?? peer' : `export const ${each} = peer.${each}`)).join('\n')}
`,
      }))
    },
  }
}
