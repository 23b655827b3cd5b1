import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { defineConfig } from 'tsup'
import { noticesOf } from '../../scripts/third-party-notices.js'

/** One package for its users: what it runs on is bundled. The server is not, because it brings a database along. */
export default defineConfig({
  entry: { main: 'src/main.ts', 'check-worker': 'src/check/worker.ts' },
  format: ['esm'],
  external: ['@plumbline/server'],
  // Packages of CommonJS ask for Node's own modules by `require`.
  banner: {
    js: "import { createRequire as plumblineRequire } from 'node:module'; const require = plumblineRequire(import.meta.url);",
  },
  splitting: true,
  clean: true,
  treeshake: true,
  metafile: true,
  target: 'es2022',
  platform: 'node',
  async onSuccess() {
    const metafile = 'dist/metafile-esm.json'
    writeFileSync('dist/THIRD-PARTY-NOTICES.txt', noticesOf(JSON.parse(readFileSync(metafile, 'utf8'))))
    rmSync(metafile)
  },
})
