import { defineConfig } from 'tsup'
import { declarations } from '../../scripts/declarations.js'

export default defineConfig({
  entry: { index: 'src/index.ts' },
  format: ['esm', 'cjs'],
  dts: declarations(),
  clean: true,
  treeshake: true,
  target: 'es2022',
  platform: 'neutral',
})
