import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(`packages/${path}`, import.meta.url))

/** Tests run on the sources; what users install is tested by the package checks and the examples. */
const alias = [
  { find: /^@plumbline\/engine\/re2-wasm$/, replacement: source('engine/src/re2-wasm.ts') },
  { find: /^@plumbline\/(billing-core|audit-chain)\/node$/, replacement: source('$1/src/node.ts') },
  { find: /^@plumbline\/([a-z-]+)\/([a-z0-9-]+)$/, replacement: source('$1/src/$2/index.ts') },
  { find: /^@plumbline\/([a-z-]+)$/, replacement: source('$1/src/index.ts') },
]

const project = (name: string, root: string, testTimeout = 30_000) => ({
  resolve: { alias },
  test: {
    name,
    root: fileURLToPath(new URL(root, import.meta.url)),
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'proof/**/*.test.ts'],
    setupFiles: [fileURLToPath(new URL('scripts/test/seed.ts', import.meta.url))],
    // Files of a project share the modules of a process: to load the server again for each took a third of the time.
    isolate: false,
    testTimeout,
    hookTimeout: testTimeout,
  },
})

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project('engine', 'packages/engine'),
      project('billing-core', 'packages/billing-core'),
      project('audit-chain', 'packages/audit-chain'),
      project('rules', 'packages/rules'),
      project('server', 'packages/server', 60_000),
      project('client', 'packages/client', 60_000),
      project('cli', 'packages/cli', 60_000),
      project('console', 'packages/console', 60_000),
      project('repo', 'scripts', 60_000),
    ],
  },
})
