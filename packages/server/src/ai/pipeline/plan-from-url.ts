/** A request for a pipeline of a repository, and the repository data for the model. */
import Type, { type Static } from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import type { PrepareContext } from '../../runtime/operation/context.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Subject } from '../check/checked.js'
import { pipelineSubject } from '../check/pipeline.js'
import { instructionsIn } from '../check/suspicious.js'
import { readAsk, WHO } from '../generation/ask.js'
import type { Planned } from '../generation/begin.js'
import { type Analyzed, type Said, say } from '../generation/events.js'
import { type Block, firstTurn, visible } from '../prompt.js'
import { addressText, GIT_URL_MAX, type RepositoryAddress, readAddress } from '../repository/address.js'
import { analyze } from '../repository/analyze.js'
import { openRepository, type Repository, readRepository } from '../repository/read.js'
import { aiOf } from '../services.js'
import { namesOf, pluginBlock } from './plan.js'

export const FromUrlAsk = strictObject({
  gitUrl: Type.String({
    minLength: 1,
    // Longer than the limit, so that the refusal can say how long the address is.
    maxLength: GIT_URL_MAX * 4,
    description:
      '`https://host/owner/name`, `ssh://git@host/owner/name` or `git@host:owner/name`, on a supported host; 500 characters',
  }),
  ...WHO,
  repoToken: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Sent only to the host of the repository; never stored or logged',
    }),
  ),
  ref: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A branch, a tag or a commit; by default, the default branch',
    }),
  ),
})
export type FromUrlAsk = Static<typeof FromUrlAsk>

/** @throws Refusal 400, 409 or 503; nothing is reserved then, and the forge was not called. */
export async function planFromUrl(context: PrepareContext, body: FromUrlAsk): Promise<Planned> {
  const address = readAddress(body.gitUrl, aiOf(context.runtime).hosts, '/body/gitUrl')
  if (body.ref !== undefined) checkRef(body.ref)
  if (body.repoToken !== undefined && !/^[\x21-\x7e]+$/.test(body.repoToken))
    throw invalidField('/body/repoToken', 'contains characters that a token cannot have', 'pattern')
  const asked = await readAsk(context, body)
  const { ref, repoToken = null } = body
  return {
    kind: 'pipeline',
    prompt: ref === undefined ? addressText(address) : `${addressText(address)} at ${ref}`,
    asked,
    subject: (inside) => subjectOf(inside, address, { ref, token: repoToken }),
  }
}

/** The rules of git for names of branches and tags. */
function checkRef(ref: string): void {
  const isSound = /^[A-Za-z0-9_][A-Za-z0-9_./+@#-]*$/.test(ref) && !/\.\.|\/\/|@\{|[./]$|\.lock$|\/\./.test(ref)
  if (!isSound) {
    throw invalidField(
      '/body/ref',
      'is not the name of a branch, a tag or a commit, such as `main` or `v1.2.0`',
      'pattern',
    )
  }
}

async function* subjectOf(
  context: PrepareContext,
  address: RepositoryAddress,
  { ref, token }: { readonly ref: string | undefined; readonly token: string | null },
): AsyncGenerator<Said, Subject> {
  const { egress } = aiOf(context.runtime)
  const opened = await openRepository(address, ref, { egress, signal: context.signal, token })
  const { owner, repo } = address
  yield say('analyzing', { owner, repo, files: opened.tree.files.length })
  const repository = await readRepository(opened, context.signal)
  const analyzed = analyzedOf(repository)
  yield say('analyzed', analyzed)
  const [facts, ...blocks] = blocksOf(repository, analyzed)
  const all = [...(facts === undefined ? [] : [facts]), ...(await pluginBlock(context)), ...blocks]
  const { host } = address.at
  return pipelineSubject([{ role: 'user', text: firstTurn(WISH, all) }], {
    names: namesOf(context, null, repo),
    before: null,
    // Hosts that only the repository names are not trusted: it could name them to gain trust.
    // guard: a-repository-vouches-for-no-host
    hosts: new Set([host]),
    images: new Set(),
    files: repository.files,
    licence: repository.about.licence,
    repository: {
      host,
      name: `${owner}/${repo}`,
      type: typeOf(host),
      flags: instructionsIn(repository.files, repository.paths),
    },
  })
}

const WISH = 'A pipeline that builds the repository that is described below, with its own tools.'
const DESCRIPTION_MAX = 500

function analyzedOf(repository: Repository): Analyzed {
  const { address, about, ref, paths, files, isCut } = repository
  return {
    owner: address.owner,
    repo: address.repo,
    provider: address.at.forge,
    host: address.at.host,
    defaultBranch: about.defaultBranch,
    ref,
    ...analysisOf(repository),
    description: about.description === null ? null : visible(about.description).slice(0, DESCRIPTION_MAX),
    licence: about.licence,
    files: paths.length,
    filesRead: files.map(({ name }) => name),
    isCut,
  }
}

function analysisOf(repository: Repository) {
  const { languages, frameworks, tools, ...rest } = analyze(repository)
  return { ...rest, languages: [...languages], frameworks: [...frameworks], tools: [...tools] }
}

const PATHS_SENT = 300
const FILE_CHARS_SENT = 8 * 1024
const CHARS_SENT = 96 * 1024

/** The first block holds only words of the server; the others hold text of the repository. */
function blocksOf({ paths, files }: Repository, analyzed: Analyzed): Block[] {
  const { projectType, languages, frameworks, packageManager, tools } = analyzed
  const facts = [
    `source: ${sourceOf(analyzed)}`,
    `kind: ${projectType}`,
    `languages: ${languages.join(', ')}`,
    ...(frameworks.length === 0 ? [] : [`frameworks: ${frameworks.join(', ')}`]),
    ...(packageManager === null ? [] : [`package manager: ${packageManager}`]),
    ...(tools.length === 0 ? [] : [`tools: ${tools.join(', ')}`]),
    ...(analyzed.hasTests ? ['it has tests'] : []),
    ...(analyzed.hasDockerfile ? ['it has a Dockerfile'] : []),
    ...(analyzed.hasCdkJson ? ['it has a cdk.json'] : []),
  ]
  const blocks: Block[] = [{ title: 'The repository', text: facts.join('\n') }]
  const near = [...paths].sort((a, b) => a.split('/').length - b.split('/').length).slice(0, PATHS_SENT)
  blocks.push({ title: 'Names of its files', text: near.map((path) => path.replaceAll(/\p{Cc}/gu, ' ')).join('\n') })
  let left = CHARS_SENT
  for (const { name, text } of files) {
    const begin = text.slice(0, Math.min(FILE_CHARS_SENT, left))
    if (begin === '') break
    left -= begin.length
    blocks.push({ title: 'A file of it', text: `${name.replaceAll(/\p{Cc}/gu, ' ')}\n${begin}` })
  }
  return blocks
}

const TYPES: Readonly<Record<string, string>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'bitbucket.org': 'bitbucket',
}

/** The source type that is specific to a host; null if it has none. */
const typeOf = (host: string): string | null => TYPES[host] ?? null

function sourceOf({ host, owner, repo, ref }: Analyzed): string {
  const type = typeOf(host)
  return type === null ? `git https://${host}/${owner}/${repo}.git at ${ref}` : `${type} ${owner}/${repo} at ${ref}`
}
