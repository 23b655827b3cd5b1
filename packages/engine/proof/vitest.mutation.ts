/**
 * The tests that mutants of the engine meet: those that finish in a moment. Suites that only repeat others at length
 * (hostile input, engine differentials, the static analysis) would add hours and few kills.
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: [
      'src/{attributes,catalogue,compile,evaluate,explain,impact,operator,path,projection,record,value}/**/*.test.ts',
      'test/laws/{oracle,regressions,purity}.test.ts',
    ],
    testTimeout: 30_000,
  },
})
