/**
 * Builds the programs that read archives, which are processes of their own, before the tests, and again when they are
 * watched and a source changes. From its sources such a process takes four times as long to start.
 */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { TestProject } from 'vitest/node'
import {
  forNode,
  readerEntries,
  startsReader,
  workspaceSources,
} from '../../packages/server/proof/workspace-sources.mjs'

const packages = fileURLToPath(new URL('../../packages', import.meta.url))

/** Beside the installed packages, which they import. */
const folder = new URL('../../packages/server/node_modules/.cache/readers/', import.meta.url)

const buildReaders = async () => {
  await build({
    ...forNode,
    entryPoints: readerEntries(packages),
    outdir: fileURLToPath(folder),
    plugins: [workspaceSources(packages)],
  })
}

export default async function setup(project: TestProject): Promise<void> {
  await buildReaders()
  project.onTestsRerun(buildReaders)
}

/** A plugin of Vite: what starts the readers looks for them beside itself, and finds those. */
export const builtReaders = {
  name: 'built-readers',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    startsReader(id) ? { code: code.replaceAll('import.meta.url', JSON.stringify(folder)), map: null } : undefined,
}
