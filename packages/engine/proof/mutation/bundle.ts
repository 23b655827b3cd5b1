/**
 * Test files as functions that can be called again and again: each call runs the file, and the engine in it, from the
 * start. That is what makes a mutant cheap: no process, no module loader, no compilation, and no state of the last one.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { constants, Script } from 'node:vm'
import { build, stop } from 'esbuild'

export interface TestFile {
  readonly path: string
  /** Runs the file. `vitest` is what its `import … from 'vitest'` gives. */
  readonly load: (vitest: object, counted: boolean) => void
}

type Factory = (require: (name: string) => unknown, module: { exports: object }, exports: object) => void

/** What the instrumenter puts before each mutant to learn who covers it. Between mutants nobody asks, and it is slow. */
const COVERAGE_CALL = /\bstryCov_9fa48\d*\((?:"\d+"(?:, )?)+\)/g

/** Bundles test files; `folder` holds the packages that they import. */
export async function bundle(folder: string, paths: readonly string[]): Promise<readonly TestFile[]> {
  const require = createRequire(join(folder, 'package.json'))
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: Object.fromEntries(paths.map((path, index) => [String(index), resolve(folder, path)])),
    outdir: folder,
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'own-url',
        setup({ onLoad }) {
          onLoad({ filter: /\.test\.ts$/ }, async ({ path }) => ({
            loader: 'ts',
            contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path))),
          }))
        },
      },
    ],
  })
  await stop()
  const textAt = new Map(outputFiles.map(({ path, text }) => [path, text]))
  return paths.map((path, index) => {
    const text = textAt.get(join(folder, `${index}.js`)) ?? ''
    const counting = factoryOf(text, path)
    const plain = factoryOf(text.replace(COVERAGE_CALL, '0'), path)
    return {
      path,
      load(vitest, counted) {
        const module = { exports: {} }
        const factory = counted ? counting() : plain()
        factory((name) => (name === 'vitest' ? vitest : require(name)), module, module.exports)
      },
    }
  })
}

/** Compiles on first use. */
function factoryOf(text: string, filename: string): () => Factory {
  let script: Script | undefined
  return () => {
    script ??= new Script(`(function (require, module, exports) {${text}\n})`, {
      filename,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
    return script.runInThisContext() as Factory
  }
}
