import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { main: 'src/main.ts', 'check-worker': 'src/check/worker.ts' },
  format: ['esm'],
  splitting: true,
  clean: true,
  treeshake: true,
  target: 'es2022',
  platform: 'node',
})
