import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', main: 'src/main.ts' },
  format: ['esm'],
  dts: { entry: { index: 'src/index.ts' } },
  splitting: true,
  clean: true,
  treeshake: true,
  target: 'es2022',
  platform: 'node',
})
