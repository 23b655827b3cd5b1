/**
 * GitHub, and GitHub Enterprise Server: the REST API of 2022-11-28. Content is read by blob, so symbolic links are not
 * followed.
 */
import type { About, ForgeWire, Reading, Tree, TreeFile } from './forge.js'
import { ANSWER_BYTES_MAX, entriesOf, refPath, spdx, textOrNull } from './forge.js'
import { emptyRepository, missingRef } from './refused.js'
import { expectFound, jsonOf } from './requests.js'

const base = ({ address: { owner, repo } }: Reading): string => `/repos/${owner}/${repo}`

interface Repository {
  readonly default_branch?: unknown
  readonly description?: unknown
  readonly license?: { readonly spdx_id?: unknown } | null
  readonly size?: unknown
}

interface Entry {
  readonly path?: unknown
  readonly mode?: unknown
  readonly type?: unknown
  readonly sha?: unknown
  readonly size?: unknown
}

const LINK = '120000'

export const github: ForgeWire = {
  async about(reading): Promise<About> {
    const { host } = reading.address.at
    const answer = await reading.requests.get(base(reading))
    expectFound(answer, host, reading.hasToken)
    const found = jsonOf<Repository>(answer, host)
    const defaultBranch = textOrNull(found.default_branch)
    if (defaultBranch === null) throw emptyRepository()
    return { defaultBranch, description: textOrNull(found.description), licence: spdx(found.license?.spdx_id) }
  },

  async tree(reading, ref): Promise<Tree> {
    const { host } = reading.address.at
    const answer = await reading.requests.get(`${base(reading)}/git/trees/${refPath(ref)}?recursive=1`)
    // The repository has no commit.
    if (answer.status === 409) throw emptyRepository()
    if (answer.status === 404 || answer.status === 422) throw missingRef(ref)
    expectFound(answer, host, reading.hasToken)
    const { tree, truncated } = jsonOf<{ tree?: unknown; truncated?: unknown }>(answer, host)
    const files = entriesOf<Entry>(tree).flatMap(fileOf)
    return { files, isCut: truncated === true, total: files.length }
  },

  async file(reading, _, { id }): Promise<Buffer | null> {
    const answer = await reading.requests.get(`${base(reading)}/git/blobs/${id}`, ANSWER_BYTES_MAX)
    if (answer.status !== 200) return null
    const { content, encoding } = jsonOf<{ content?: unknown; encoding?: unknown }>(answer, reading.address.at.host)
    return typeof content === 'string' && encoding === 'base64' ? Buffer.from(content, 'base64') : null
  },
}

function fileOf({ path, mode, type, sha, size }: Entry): TreeFile[] {
  const isFile = type === 'blob' && mode !== LINK
  if (!isFile || typeof path !== 'string' || typeof sha !== 'string' || !/^[0-9a-f]{40,64}$/.test(sha)) return []
  return [{ path, id: sha, size: typeof size === 'number' ? size : null }]
}
