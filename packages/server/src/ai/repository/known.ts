/** The files that show how a repository is built, the most informative first. */
import type { TreeFile } from './forge.js'

/** By base name in lower case; a trailing dot matches any extension. */
const KNOWN = [
  ...['package.json', 'cdk.json', 'pyproject.toml', 'requirements.txt', 'setup.py', 'setup.cfg', 'pipfile'],
  ...['go.mod', 'cargo.toml', 'pom.xml', 'build.gradle', 'build.gradle.kts', 'gemfile', 'composer.json', 'mix.exs'],
  ...['dockerfile', 'readme.', 'readme', 'makefile', 'justfile', 'taskfile.yml', '.nvmrc', '.node-version'],
  ...['.python-version', '.tool-versions', 'tsconfig.json', 'tox.ini', 'noxfile.py', 'docker-compose.yml'],
  ...['compose.yaml', 'compose.yml', 'pnpm-workspace.yaml', 'turbo.json', 'nx.json', 'lerna.json'],
  ...['.gitlab-ci.yml', 'jenkinsfile', 'buildspec.yml', 'bitbucket-pipelines.yml', 'azure-pipelines.yml'],
  ...['serverless.yml', 'template.yaml', 'chart.yaml', 'settings.gradle', 'global.json', 'requirements-dev.txt'],
] as const
const WORKFLOW = /^\.github\/workflows\/[^/]{1,100}\.ya?ml$/
const PROJECT = /\.(?:csproj|fsproj|sln)$/
/** Folders of third-party files, or of tests of the tools themselves. */
const ELSEWHERE = /(?:^|\/)(?:node_modules|vendor|third_party|dist|testdata|fixtures)\//

const DEPTH_MAX = 4

export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase()

const isNamed = (base: string, name: string): boolean => (name.endsWith('.') ? base.startsWith(name) : base === name)

function rankOf(path: string): number {
  const base = baseOf(path)
  const at = KNOWN.findIndex((name) => isNamed(base, name))
  if (at !== -1) return at
  return WORKFLOW.test(path) || PROJECT.test(base) ? KNOWN.length : -1
}

/** Files near the root first; at the same depth, in the order of the list. */
export function knownFiles(files: readonly TreeFile[]): TreeFile[] {
  return files
    .map((file) => ({ file, rank: rankOf(file.path), depth: file.path.split('/').length }))
    .filter(({ file, rank, depth }) => rank !== -1 && depth <= DEPTH_MAX && !ELSEWHERE.test(file.path))
    .sort((a, b) => a.depth - b.depth || a.rank - b.rank || (a.file.path < b.file.path ? -1 : 1))
    .map(({ file }) => file)
}
