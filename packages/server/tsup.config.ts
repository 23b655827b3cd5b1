import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { defineConfig } from 'tsup'
import { declarations } from '../../scripts/declarations.js'
import { copyConsole } from './scripts/copy-console.js'
import { DOCS_ASSETS } from './src/runtime/http/docs-assets.js'

const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  readonly optionalDependencies: Readonly<Record<string, string>>
}

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    main: 'src/main.ts',
    'audit-client': 'src/audit/client/index.ts',
    // Processes of their own.
    'archive-reader': 'src/plugin/archive/reader-process.ts',
    'layer-reader': 'src/plugin/layer/reader-process.ts',
    // Another, which the server starts where it builds by itself.
    builder: 'src/plugin/builder-program/process.ts',
  },
  format: ['esm'],
  // Loaded from where they are installed, with the files that they read beside themselves, such as fonts. The first one is of
  // `plumbline sso fake` alone: installed by the people who try it.
  external: ['oidc-provider', ...Object.keys(optionalDependencies)],
  dts: declarations({ entry: { index: 'src/index.ts', 'audit-client': 'src/audit/client/index.ts' } }),
  splitting: true,
  clean: true,
  treeshake: true,
  target: 'es2022',
  platform: 'node',
  async onSuccess() {
    // The documentation page comes from our own files; Swagger UI itself is not installed by users.
    const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
    mkdirSync('dist/docs-assets', { recursive: true })
    for (const file of [...Object.keys(DOCS_ASSETS), 'LICENSE', 'NOTICE']) {
      copyFileSync(join(from, file), join('dist/docs-assets', file))
    }
    await copyConsole('../console/dist', 'dist/console')
  },
})
