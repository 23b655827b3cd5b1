/**
 * The repository that a pipeline builds from, in the form that forges use: `acme/shop` and `github.com/acme/shop`, in
 * lower case. Pure.
 */
import type { Props } from './props/schema.js'

const HOSTS: Readonly<Record<string, string>> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
}

export function repositoryKeys(props: Props): readonly string[] {
  const { source } = (props as { synth?: { source?: { type?: unknown; options?: { repo?: unknown } } } }).synth ?? {}
  const repo = source?.options?.repo
  if (typeof repo !== 'string') return []
  const bare = repo
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/|ssh:\/\/)?(?:[^@/]+@)?/, '')
    .replace(/\.git$/, '')
    .replace(/^([^/:.]+\.[^/:]+):(?!\d+\/)/, '$1/')
  const [first = '', ...rest] = bare.split('/')
  if (first.includes('.') && rest.length > 1) return [bare, rest.join('/')]
  const host = HOSTS[String(source?.type)]
  return host === undefined ? [bare] : [`${host}/${bare}`, bare]
}
