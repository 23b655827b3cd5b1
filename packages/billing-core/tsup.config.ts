import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', node: 'src/node.ts' },
  format: ['esm', 'cjs'],
  // The node entry alone sees Node's types; `tsc -p .` holds the other files to none.
  dts: { compilerOptions: { types: ['node'] } },
  clean: true,
  treeshake: true,
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
})
