/** Draws a report: the server as SVG, this module as bars on a terminal. */
import { resolve } from 'node:path'
import type { Invocation, Io } from '../command.js'
import { writeTextFile } from '../program/outputs.js'
import { write } from '../program/write.js'
import { replyOf, type Session } from '../remote/session.js'
import { plotText } from './plot.js'
import type { JsonObject, Plot } from './resource.js'

const WIDTH = 80

/** Saves the picture that the server draws; `-` is standard output. @throws ApiError if the server refuses. */
export async function savePicture(
  session: Session,
  io: Io,
  { path, query, file }: { path: string; query: Readonly<Record<string, string>>; file: string },
): Promise<void> {
  const search = new URLSearchParams(query).toString()
  const response = await session.fetch(`${path}${search === '' ? '' : `?${search}`}`, {
    headers: { accept: 'image/svg+xml' },
  })
  if (!response.ok) await replyOf(response)
  const picture = await response.text()
  if (file === '-') await write(io.stdout, `${picture}\n`)
  else await writeTextFile(resolve(io.cwd, file), `${picture}\n`)
}

/** Writes the bars to standard output, or to the file that `--output` names. */
export async function showPlot(
  { options: { output } }: Invocation,
  io: Io,
  rows: readonly JsonObject[],
  plot: Plot,
): Promise<void> {
  if (typeof output === 'string' && output !== '-') {
    await writeTextFile(resolve(io.cwd, output), plotText(rows, plot, { width: WIDTH, colour: false }))
    return
  }
  const width = io.stdoutIsTty ? (io.columns ?? WIDTH) : WIDTH
  await write(io.stdout, plotText(rows, plot, { width, colour: io.stdoutIsTty && io.colour }))
}
