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

/** What hangs ends after it. No test is measured by it: a machine with other work takes several times as long. */
const TEST_MS_MAX = 300_000

const project = (name: string, root: string) => ({
  resolve: { alias },
  test: {
    name,
    root: fileURLToPath(new URL(root, import.meta.url)),
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'proof/**/*.test.ts'],
    setupFiles: [fileURLToPath(new URL('scripts/test/seed.ts', import.meta.url))],
    // Files of a project share the modules of a process: to load the server again for each took a third of the time.
    isolate: false,
    testTimeout: TEST_MS_MAX,
    hookTimeout: TEST_MS_MAX,
    expect: { poll: { timeout: 60_000 } },
  },
})

export default defineConfig({
  test: {
    // One more than there are cores in CI: a fifth of the time tests wait for other processes.
    maxWorkers: 3,
    projects: [
      project('engine', 'packages/engine'),
      project('billing-core', 'packages/billing-core'),
      project('audit-chain', 'packages/audit-chain'),
      project('rules', 'packages/rules'),
      project('server', 'packages/server'),
      project('client', 'packages/client'),
      project('cli', 'packages/cli'),
      project('console', 'packages/console'),
      project('repo', 'scripts'),
    ],
  },
})
