/** A document of a plugin, as the server keeps it. */
import { resolve } from 'node:path'
import type { Invocation, Io } from '../../command.js'
import { writeTextFile } from '../../program/outputs.js'
import { write } from '../../program/write.js'
import { replyOf, type Session } from '../../remote/session.js'

/** @throws ApiError */
export async function fetchDocument(session: Session, id: string, kind: 'sbom' | 'provenance'): Promise<string> {
  const response = await session.fetch(`/api/plugins/${id}/${kind}`)
  if (!response.ok) await replyOf(response)
  return response.text()
}

export async function writeDocument({ options }: Invocation, io: Io, text: string): Promise<void> {
  const whole = `${text}\n`
  const { output } = options
  if (typeof output === 'string' && output !== '-') await writeTextFile(resolve(io.cwd, output), whole)
  else await write(io.stdout, whole)
}
