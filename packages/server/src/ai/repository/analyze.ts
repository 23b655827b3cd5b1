/**
 * Analyzes a repository by file names and manifests: languages, tools, frameworks. Every word of the result comes from
 * a list in this file, except the repository's checked names and its description. No other text of the repository gets
 * through.
 */

import { baseOf } from './known.js'
import type { Repository } from './read.js'

export type ProjectType = 'node' | 'python' | 'go' | 'java' | 'rust' | 'ruby' | 'php' | 'dotnet' | 'unknown'

export interface Analysis {
  readonly projectType: ProjectType
  /** Ordered by the number of files, the most first. */
  readonly languages: readonly string[]
  readonly frameworks: readonly string[]
  readonly packageManager: string | null
  readonly tools: readonly string[]
  readonly hasTests: boolean
  readonly hasDockerfile: boolean
  readonly hasCdkJson: boolean
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ ts: 'TypeScript', tsx: 'TypeScript', mts: 'TypeScript', js: 'JavaScript', jsx: 'JavaScript', mjs: 'JavaScript' },
  ...{ cjs: 'JavaScript', py: 'Python', go: 'Go', java: 'Java', kt: 'Kotlin', scala: 'Scala', rs: 'Rust', rb: 'Ruby' },
  ...{ php: 'PHP', cs: 'C#', fs: 'F#', c: 'C', cpp: 'C++', cc: 'C++', swift: 'Swift', ex: 'Elixir', exs: 'Elixir' },
  ...{ sh: 'Shell', tf: 'HCL', vue: 'Vue', svelte: 'Svelte', dart: 'Dart', lua: 'Lua', hs: 'Haskell' },
}

/** By base name: the project type and its package manager. The first one found decides. */
const LOCKS: readonly (readonly [string, ProjectType, string])[] = [
  ['pnpm-lock.yaml', 'node', 'pnpm'],
  ['yarn.lock', 'node', 'yarn'],
  ['bun.lockb', 'node', 'bun'],
  ['bun.lock', 'node', 'bun'],
  ['package-lock.json', 'node', 'npm'],
  ['package.json', 'node', 'npm'],
  ['uv.lock', 'python', 'uv'],
  ['poetry.lock', 'python', 'poetry'],
  ['pipfile', 'python', 'pipenv'],
  ['pyproject.toml', 'python', 'pip'],
  ['requirements.txt', 'python', 'pip'],
  ['setup.py', 'python', 'pip'],
  ['go.mod', 'go', 'go'],
  ['cargo.toml', 'rust', 'cargo'],
  ['pom.xml', 'java', 'maven'],
  ['build.gradle', 'java', 'gradle'],
  ['build.gradle.kts', 'java', 'gradle'],
  ['gemfile', 'ruby', 'bundler'],
  ['composer.json', 'php', 'composer'],
  ['global.json', 'dotnet', 'nuget'],
]

const BY_LANGUAGE: Readonly<Record<string, ProjectType>> = {
  ...{ TypeScript: 'node', JavaScript: 'node', Python: 'python', Go: 'go', Java: 'java', Kotlin: 'java' },
  ...{ Rust: 'rust', Ruby: 'ruby', PHP: 'php', 'C#': 'dotnet', 'F#': 'dotnet' },
}

/** Words of a manifest, and the frameworks that they indicate. */
const FRAMEWORKS: Readonly<Record<string, string>> = {
  ...{ react: 'React', next: 'Next.js', vue: 'Vue', nuxt: 'Nuxt', svelte: 'Svelte', '@angular/core': 'Angular' },
  ...{ express: 'Express', fastify: 'Fastify', '@nestjs/core': 'NestJS', hono: 'Hono', astro: 'Astro' },
  ...{ electron: 'Electron', 'aws-cdk-lib': 'AWS CDK', django: 'Django', flask: 'Flask', fastapi: 'FastAPI' },
  ...{ 'gin-gonic/gin': 'Gin', 'labstack/echo': 'Echo', 'gofiber/fiber': 'Fiber', 'spring-boot': 'Spring Boot' },
  ...{ quarkus: 'Quarkus', rails: 'Rails', sinatra: 'Sinatra', axum: 'Axum', 'actix-web': 'Actix' },
  ...{ 'laravel/framework': 'Laravel', 'symfony/framework-bundle': 'Symfony' },
}
const TOOL_WORDS: Readonly<Record<string, string>> = {
  ...{ vitest: 'Vitest', jest: 'Jest', mocha: 'Mocha', '@playwright/test': 'Playwright', cypress: 'Cypress' },
  ...{ eslint: 'ESLint', prettier: 'Prettier', '@biomejs/biome': 'Biome', typescript: 'TypeScript', vite: 'Vite' },
  ...{ pytest: 'pytest', ruff: 'Ruff', black: 'Black', mypy: 'mypy', rspec: 'RSpec', phpunit: 'PHPUnit' },
}
const TOOL_FILES: readonly (readonly [RegExp, string])[] = [
  [/^\.github\/workflows\//, 'GitHub Actions'],
  [/^\.gitlab-ci\.yml$/, 'GitLab CI'],
  [/^jenkinsfile$/i, 'Jenkins'],
  [/^bitbucket-pipelines\.yml$/, 'Bitbucket Pipelines'],
  [/^\.circleci\//, 'CircleCI'],
  [/(?:^|\/)(?:docker-)?compose\.ya?ml$/, 'Docker Compose'],
  [/\.tf$/, 'Terraform'],
  [/(?:^|\/)chart\.yaml$/i, 'Helm'],
  [/^makefile$/i, 'make'],
  [/^tox\.ini$/, 'tox'],
  [/(?:^|\/)turbo\.json$/, 'Turborepo'],
  [/(?:^|\/)nx\.json$/, 'Nx'],
]
const TEST_FILE =
  /(?:^|\/)(?:tests?|spec|__tests__)\/|\.(?:test|spec)\.[a-z]{1,4}$|_test\.(?:go|py)$|(?:^|\/)test_[^/]{1,100}\.py$/
const MOST = 12

export function analyze({ paths, files }: Pick<Repository, 'paths' | 'files'>): Analysis {
  const near = paths.filter((path) => path.split('/').length <= 3)
  const bases = new Set(near.map(baseOf))
  const languages = languagesOf(paths)
  const lock = LOCKS.find(([name]) => bases.has(name))
  const words = new Set(files.flatMap(({ name, text }) => packagesIn(baseOf(name), text)))
  const named = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).flatMap(([word, name]) => (words.has(word) ? [name] : []))
  const byFile = TOOL_FILES.flatMap(([form, name]) => (paths.some((path) => form.test(path)) ? [name] : []))
  return {
    projectType: lock?.[1] ?? BY_LANGUAGE[languages[0] ?? ''] ?? 'unknown',
    languages,
    frameworks: [...new Set(named(FRAMEWORKS))].slice(0, MOST),
    packageManager: lock?.[2] ?? null,
    tools: [...new Set([...named(TOOL_WORDS), ...byFile])].slice(0, MOST),
    hasTests: paths.some((path) => TEST_FILE.test(path)),
    hasDockerfile: near.some((path) => baseOf(path) === 'dockerfile' || baseOf(path).startsWith('dockerfile.')),
    hasCdkJson: bases.has('cdk.json'),
  }
}

function languagesOf(paths: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const base = baseOf(path)
    const dot = base.lastIndexOf('.')
    const ending = dot === -1 ? '' : base.slice(dot + 1)
    const name = Object.hasOwn(LANGUAGES, ending) ? LANGUAGES[ending] : undefined
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, MOST)
    .map(([name]) => name)
}

const MANIFEST =
  /^(?:pyproject\.toml|requirements[a-z-]{0,20}\.txt|setup\.(?:py|cfg)|pipfile|go\.mod|cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|gemfile|composer\.json)$/

function packagesIn(base: string, text: string): string[] {
  if (base === 'package.json') return dependenciesOf(text)
  return MANIFEST.test(base) ? wordsOf(text) : []
}

function dependenciesOf(packageJson: string): string[] {
  try {
    const { dependencies, devDependencies } = JSON.parse(packageJson) as Readonly<Record<string, object | undefined>>
    return [...Object.keys(dependencies ?? {}), ...Object.keys(devDependencies ?? {})]
  } catch {
    return []
  }
}

/** The package names in a manifest of any other format, in lower case, with and without their prefixes. */
function wordsOf(text: string): string[] {
  const names = text.toLowerCase().match(/[@a-z0-9][a-z0-9_./-]{0,80}/g) ?? []
  return names.flatMap((name) => {
    const parts = name.split('/')
    const last = parts.slice(-2).join('/')
    const plain = /[./-]$/.test(name) ? name.slice(0, -1) : name
    // `spring-boot-starter-web` and `quarkus-core` are recognized by their prefix.
    const family = ['spring-boot', 'quarkus'].filter((each) => name.startsWith(`${each}-`))
    return [name, plain, last, ...family]
  })
}
