import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { builtReaders } from './scripts/test/readers.js'

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

const project = (name: string, root: string, folders: readonly string[] = ['.']) => ({
  resolve: { alias },
  plugins: [builtReaders],
  test: {
    name,
    root: fileURLToPath(new URL(root, import.meta.url)),
    include: folders.flatMap((folder) => ['src', 'test', 'proof'].map((each) => `${folder}/${each}/**/*.test.ts`)),
    globalSetup: [fileURLToPath(new URL('scripts/test/readers.ts', import.meta.url))],
    setupFiles: [fileURLToPath(new URL('scripts/test/seed.ts', import.meta.url))],
    // Files of a project share the modules of a process: to load the server again for each took a third of the time.
    isolate: false,
    testTimeout: TEST_MS_MAX,
    hookTimeout: TEST_MS_MAX,
    expect: { poll: { timeout: 60_000 } },
  },
})

/** `--project server` names one of the projects below. */
const isOfOneProject = process.argv.some((argument) => argument.startsWith('--project'))

const pure = [
  project('engine', 'packages/engine'),
  project('billing-core', 'packages/billing-core'),
  project('audit-chain', 'packages/audit-chain'),
]

/**
 * Tests of these start the server. A run of several takes them as one project, so that a process transforms and loads the
 * server once: a project has modules of its own, which took a fifth of the time.
 */
const onServer = [
  ['rules', 'packages/rules'],
  ['server', 'packages/server'],
  ['client', 'packages/client'],
  ['cli', 'packages/cli'],
  ['console', 'packages/console'],
  ['repo', 'scripts'],
] as const

export default defineConfig({
  test: {
    // One more than there are cores in CI: a fifth of the time tests wait for other processes.
    maxWorkers: 3,
    projects: isOfOneProject
      ? [...pure, ...onServer.map(([name, folder]) => project(name, folder))]
      : [
          ...pure,
          project(
            'product',
            '.',
            onServer.map(([, folder]) => folder),
          ),
        ],
  },
})
