/** Fetches a document of a plugin as the server stores it. */
import { resolve } from 'node:path'
import { type Invocation, type Io, UsageError } from '../../command.js'
import { writeTextFile } from '../../program/outputs.js'
import { write } from '../../program/write.js'
import { replyOf, type Session } from '../../remote/session.js'

/** @throws ApiError */
export async function fetchDocument(session: Session, id: string, kind: 'sbom' | 'provenance'): Promise<string> {
  const response = await session.fetch(`/plugins/${id}/${kind}`)
  if (!response.ok) await replyOf(response)
  return response.text()
}

export async function writeDocument({ options }: Invocation, io: Io, text: string): Promise<void> {
  const whole = `${text}\n`
  const { output } = options
  if (typeof output === 'string' && output !== '-') await writeTextFile(resolve(io.cwd, output), whole)
  else await write(io.stdout, whole)
}

/** The digest that `--digest` names; without it that of the plugin. @throws UsageError */
export async function imageDigestOf({ options }: Invocation, session: Session, id: string): Promise<string> {
  const { digest } = options
  if (typeof digest === 'string') {
    if (/^sha256:[0-9a-f]{64}$/.test(digest)) return digest
    throw new UsageError('--digest must be `sha256:` and 64 digits', 'copy it from `skopeo inspect` or from the pull')
  }
  const { data } = await session.send<{ plugin: { imageDigest: string | null } }>({
    method: 'GET',
    path: `/plugins/${id}`,
  })
  if (data.plugin.imageDigest !== null) return data.plugin.imageDigest
  throw new UsageError('the plugin has no image yet', 'build it first: `plumbline plugins build`')
}
