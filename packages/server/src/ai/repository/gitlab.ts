/** GitLab, on gitlab.com or self-hosted: its REST API v4. A project is addressed by its full path. */
import type { About, ForgeWire, Reading, Tree, TreeFile } from './forge.js'
import { entriesOf, FILE_BYTES_MAX, spdx, textOrNull } from './forge.js'
import { emptyRepository, missingRef } from './refused.js'
import { expectFound, jsonOf } from './requests.js'

const base = ({ address: { owner, repo } }: Reading): string => `/projects/${encodeURIComponent(`${owner}/${repo}`)}`

interface Project {
  readonly default_branch?: unknown
  readonly description?: unknown
  readonly license?: { readonly key?: unknown } | null
  readonly empty_repo?: unknown
}

interface Entry {
  readonly id?: unknown
  readonly path?: unknown
  readonly type?: unknown
  readonly mode?: unknown
}

const PAGE = 100
/** Limit for the whole tree. The root folder is listed separately, because it has most of the relevant files. */
const PAGES_MAX = 8
const LINK = '120000'

export const gitlab: ForgeWire = {
  async about(reading): Promise<About> {
    const { host } = reading.address.at
    const answer = await reading.requests.get(`${base(reading)}?license=true`)
    expectFound(answer, host, reading.hasToken)
    const found = jsonOf<Project>(answer, host)
    const defaultBranch = textOrNull(found.default_branch)
    if (found.empty_repo === true || defaultBranch === null) throw emptyRepository()
    return { defaultBranch, description: textOrNull(found.description), licence: licenceOf(found.license?.key) }
  },

  async tree(reading, ref): Promise<Tree> {
    const files = new Map<string, TreeFile>()
    const page = (query: string, n: number) => listed(reading, ref, `${query}&page=${n}`)
    for (const file of (await page('recursive=false', 1)).files) files.set(file.path, file)
    for (let n = 1; n <= PAGES_MAX; n++) {
      const { files: more, count, total } = await page('recursive=true', n)
      for (const file of more) files.set(file.path, file)
      if (count < PAGE) return { files: [...files.values()], isCut: false, total: files.size }
      // The total includes folders, so it is at least the number of files.
      if (n === PAGES_MAX) return { files: [...files.values()], isCut: true, total }
    }
    return { files: [...files.values()], isCut: true, total: null }
  },

  async file(reading, ref, { path }): Promise<Buffer | null> {
    const at = `${base(reading)}/repository/files/${encodeURIComponent(path)}/raw?ref=${encodeURIComponent(ref)}`
    const answer = await reading.requests.get(at, FILE_BYTES_MAX + 1)
    return answer.status === 200 ? Buffer.from(answer.text) : null
  },
}

async function listed(reading: Reading, ref: string, query: string) {
  const { host } = reading.address.at
  const at = `${base(reading)}/repository/tree?ref=${encodeURIComponent(ref)}&per_page=${PAGE}&${query}`
  const answer = await reading.requests.get(at)
  if (answer.status === 404) throw missingRef(ref)
  expectFound(answer, host, reading.hasToken)
  const entries = jsonOf<object>(answer, host)
  const total = Number(answer.headers.get('x-total') ?? Number.NaN)
  const all = entriesOf<Entry>(entries)
  return { files: all.flatMap(fileOf), count: all.length, total: Number.isSafeInteger(total) ? total : null }
}

function fileOf({ id, path, type, mode }: Entry): TreeFile[] {
  if (type !== 'blob' || mode === LINK || typeof path !== 'string') return []
  return [{ path, id: String(id), size: null }]
}

/** GitLab reports SPDX identifiers in lower case. */
const SPDX = [
  ...['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'Unlicense', 'CC0-1.0', 'MPL-2.0', 'EPL-2.0'],
  ...['GPL-2.0', 'GPL-3.0', 'LGPL-2.1', 'LGPL-3.0', 'AGPL-3.0', 'BSL-1.0', 'EUPL-1.2', 'Artistic-2.0', 'Zlib'],
]

const licenceOf = (key: unknown): string | null => SPDX.find((id) => id.toLowerCase() === key) ?? spdx(key)
