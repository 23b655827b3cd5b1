import { defineConfig } from 'tsup'
import { declarations } from '../../scripts/declarations.js'

export default defineConfig({
  entry: { index: 'src/index.ts', node: 'src/node.ts' },
  format: ['esm', 'cjs'],
  // The node entry alone sees Node's types; `tsc -p .` holds the other files to none.
  dts: declarations({ compilerOptions: { types: ['node'] } }),
  clean: true,
  treeshake: true,
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
})
