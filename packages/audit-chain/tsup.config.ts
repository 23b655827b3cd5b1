import { defineConfig } from 'tsup'
import { declarations } from '../../scripts/declarations.js'

export default defineConfig({
  entry: { index: 'src/index.ts', node: 'src/node.ts' },
  format: ['esm', 'cjs'],
  // The sources compile without Node's types; the one module that needs them is the entry for Node.
  dts: declarations({ compilerOptions: { types: ['node'] } }),
  clean: true,
  treeshake: true,
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
})
