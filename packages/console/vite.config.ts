/**
 * The build: hashed files below `/console/assets`, nothing inline, so that the server's policy without `'unsafe-inline'`
 * and with Trusted Types holds. `npm run dev` answers with the sources and hands `/api` on to a running server.
 */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = process.env.PLUMBLINE_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    assetsInlineLimit: 0,
    // The polyfill would be a script in the page.
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What every page loads, by itself: a change of the console does not make it be loaded again.
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules[\\/](react|react-dom|scheduler|@tanstack|openapi-fetch)[\\/]/ },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: server, changeOrigin: false } } },
})
