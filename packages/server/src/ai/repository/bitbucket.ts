/** Bitbucket Cloud: its REST API 2.0. Its lists link to the next page by URL; only the page parameter of it is used. */
import type { About, ForgeWire, Reading, Tree, TreeFile } from './forge.js'
import { entriesOf, FILE_BYTES_MAX, textOrNull } from './forge.js'
import { emptyRepository, missingRef } from './refused.js'
import { expectFound, jsonOf } from './requests.js'

const base = ({ address: { owner, repo } }: Reading): string => `/repositories/${owner}/${repo}`

interface Repository {
  readonly mainbranch?: { readonly name?: unknown } | null
  readonly description?: unknown
}

interface Page {
  readonly values?: unknown
  readonly next?: unknown
  readonly size?: unknown
}

interface Entry {
  readonly path?: unknown
  readonly type?: unknown
  readonly size?: unknown
  readonly attributes?: unknown
}

const PAGES_MAX = 8

export const bitbucket: ForgeWire = {
  async about(reading): Promise<About> {
    const { host } = reading.address.at
    const answer = await reading.requests.get(base(reading))
    expectFound(answer, host, reading.hasToken)
    const { mainbranch, description } = jsonOf<Repository>(answer, host)
    const defaultBranch = textOrNull(mainbranch?.name)
    if (defaultBranch === null) throw emptyRepository()
    return { defaultBranch, description: textOrNull(description), licence: null }
  },

  async tree(reading, ref): Promise<Tree> {
    const { host } = reading.address.at
    const files: TreeFile[] = []
    let page = ''
    for (let n = 0; n < PAGES_MAX; n++) {
      const at = `${base(reading)}/src/${encodeURIComponent(ref)}/?max_depth=10&pagelen=100${page}`
      const answer = await reading.requests.get(at)
      if (answer.status === 404) throw missingRef(ref)
      expectFound(answer, host, reading.hasToken)
      const { values, next } = jsonOf<Page>(answer, host)
      files.push(...entriesOf<Entry>(values).flatMap(fileOf))
      const name = pageOf(next)
      if (name === null) return { files, isCut: false, total: files.length }
      page = `&page=${encodeURIComponent(name)}`
    }
    return { files, isCut: true, total: null }
  },

  async file(reading, ref, { path }): Promise<Buffer | null> {
    const name = path.split('/').map(encodeURIComponent).join('/')
    const answer = await reading.requests.get(
      `${base(reading)}/src/${encodeURIComponent(ref)}/${name}`,
      FILE_BYTES_MAX + 1,
    )
    return answer.status === 200 ? Buffer.from(answer.text) : null
  },
}

/** The URL of the next page may name another host, so only its page parameter is used. */
function pageOf(next: unknown): string | null {
  return typeof next === 'string' && URL.canParse(next) ? new URL(next).searchParams.get('page') : null
}

function fileOf({ path, type, size, attributes }: Entry): TreeFile[] {
  const isPlain = !Array.isArray(attributes) || !attributes.some((each) => each === 'link' || each === 'subrepository')
  if (type !== 'commit_file' || !isPlain || typeof path !== 'string') return []
  return [{ path, id: path, size: typeof size === 'number' ? size : null }]
}
