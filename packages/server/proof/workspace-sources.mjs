// What bundles of the sources have in common, as the proofs and the tests run them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Options of esbuild. */
export const forNode = { bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' }

/** Entries of esbuild: processes of their own, which a release has beside the server under these names. */
export const readerEntries = (packages) => ({
  'archive-reader': join(packages, 'server/src/plugin/archive/reader-process.ts'),
  'layer-reader': join(packages, 'server/src/plugin/layer/reader-process.ts'),
})

/** The sources that look for a reader beside themselves. */
export const startsReader = (path) => /plugin\/(archive|layer)\/isolated\.ts$/.test(path)

/** Takes the packages of the workspace from their sources, and leaves installed packages as imports. */
export const workspaceSources = (packages) => ({
  name: 'workspace-sources',
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
})

/**
 * Each file keeps its own address in a bundle, so that it finds what is beside it. Those that start the readers of archives
 * have the address of the bundle, which has the readers beside it as a release has.
 */
export const ownAddresses = {
  name: 'own-addresses',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta.url') || startsReader(path)) return undefined
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path))), loader: 'ts' }
    })
  },
}
