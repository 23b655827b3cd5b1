/**
 * Runs git to answer questions about a repository.
 * INVARIANT: a ref from the command line is resolved to a commit before use, so that git never reads it as an option.
 */
import { execFile } from 'node:child_process'
import { relative } from 'node:path'
import { UsageError } from '../command.js'

const outputBytesMax = 256 * 1024 * 1024

function git(cwd: string, args: readonly string[], input?: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      [...args],
      { cwd, encoding: 'buffer', maxBuffer: outputBytesMax },
      (error, stdout, stderr) => {
        if (!error) resolve(stdout)
        else if ((error as NodeJS.ErrnoException).code === 'ENOENT') reject(new UsageError('git is not installed'))
        else reject(new UsageError(`git ${args[0]}: ${stderr.toString('utf8').trim().split('\n')[0] || error.message}`))
      },
    )
    // git may end before it has read all input. git then reports the error itself, so the error of the pipe is ignored.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input ?? '')
  })
}

/** The folder that holds the repository, or null outside one. */
export async function repositoryRoot(cwd: string): Promise<string | null> {
  try {
    return (await git(cwd, ['rev-parse', '--show-toplevel'])).toString('utf8').replace(/\n$/, '')
  } catch {
    return null
  }
}

/** The full hash of the commit that a ref names. */
export async function resolveCommit(cwd: string, ref: string): Promise<string> {
  if (ref === '' || ref.startsWith('-')) throw new UsageError(`\`${ref}\` is not a git ref`)
  try {
    return (await git(cwd, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])).toString('utf8').trim()
  } catch (error) {
    const root = await repositoryRoot(cwd)
    if (root === null) throw new UsageError('this folder is not in a git repository', 'leave the git options out')
    if (error instanceof UsageError && error.message === 'git is not installed') throw error
    if (await isWithoutCommit(cwd)) {
      throw new UsageError(
        `git knows no commit \`${ref}\`: the repository has no commit yet`,
        'make the first commit without the hook: `git commit --no-verify`',
      )
    }
    throw new UsageError(
      `git knows no commit \`${ref}\``,
      'in CI, fetch it first: a shallow clone holds only the newest commit',
    )
  }
}

async function isWithoutCommit(cwd: string): Promise<boolean> {
  return (await git(cwd, ['rev-list', '--all', '--max-count=1'])).length === 0
}

/** Files below `folder` at a commit: paths relative to `folder`, with forward slashes, sorted. */
export async function listFilesAt(folder: string, commit: string): Promise<string[]> {
  const output = await git(folder, ['ls-tree', '-r', '-z', '--name-only', commit])
  return output.toString('utf8').split('\0').filter(Boolean).sort()
}

/**
 * Contents of files at a commit, in the given order; null for a file that does not exist. Paths are relative to the
 * root.
 */
export async function readFilesAt(root: string, commit: string, paths: readonly string[]): Promise<(Buffer | null)[]> {
  if (paths.length === 0) return []
  if (paths.some((path) => path.includes('\n')))
    throw new UsageError('file names with line breaks cannot be read from git')
  const output = await git(root, ['cat-file', '--batch'], paths.map((path) => `${commit}:${path}\n`).join(''))
  const contents: (Buffer | null)[] = []
  let at = 0
  for (let index = 0; index < paths.length; index++) {
    const lineEnd = output.indexOf(0x0a, at)
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(output.toString('utf8', at, lineEnd))?.[1]
    at = lineEnd + 1
    if (size === undefined) {
      contents.push(null)
    } else {
      contents.push(output.subarray(at, at + Number(size)))
      at += Number(size) + 1
    }
  }
  return contents
}

/**
 * Files of the working tree, including untracked ones, that differ from the commit where this branch left `ref`, as
 * absolute paths. Without a common ancestor (a shallow clone) they are compared with `ref` itself.
 */
export async function changedSince(cwd: string, root: string, ref: string): Promise<Set<string>> {
  const commit = await resolveCommit(cwd, ref)
  let base = commit
  try {
    base = (await git(root, ['merge-base', commit, 'HEAD'])).toString('utf8').trim()
  } catch {
    // A shallow clone has no common ancestor to compare with.
  }
  const changed = await git(root, ['diff', '--name-only', '-z', '--no-renames', '--diff-filter=d', base, '--'])
  const untracked = await git(root, ['ls-files', '--others', '--exclude-standard', '-z'])
  const names = [...changed.toString('utf8').split('\0'), ...untracked.toString('utf8').split('\0')]
  return new Set(names.filter(Boolean).map((name) => `${root}/${name}`))
}

/** Whether the history is cut off, so that it cannot be known what the repository once held. */
export async function isShallow(cwd: string): Promise<boolean> {
  return (await git(cwd, ['rev-parse', '--is-shallow-repository'])).toString('utf8').trim() !== 'false'
}

/** The newest commit in the history of `commit` that touched one of the paths; null if there is none. */
export async function lastChangeOf(cwd: string, commit: string, paths: readonly string[]): Promise<string | null> {
  const literal = paths.map((path) => `:(literal)${relative(cwd, path).replaceAll('\\', '/')}`)
  const found = (await git(cwd, ['rev-list', '-1', '--full-history', commit, '--', ...literal])).toString('utf8').trim()
  return found === '' ? null : found
}

/** `path` relative to the repository, as git writes it. */
export function gitPath(root: string, path: string): string {
  return relative(root, path).replaceAll('\\', '/')
}

/** The version of git, or null without it. */
export async function gitVersion(cwd: string): Promise<string | null> {
  try {
    return (await git(cwd, ['--version'])).toString('utf8').replace('git version ', '').trim()
  } catch {
    return null
  }
}
