/** Runs `plumbline bundle fetch|verify|show`. */
import { resolve } from 'node:path'
import { argument } from '../audit/options.js'
import { writeTextFile } from '../authoring/outputs.js'
import { readBundle } from '../check/org-rules.js'
import { type CommandRun, ExitCode } from '../command.js'
import { write } from '../program/write.js'
import type { JsonObject } from '../records/resource.js'
import { showRecords } from '../records/show.js'
import { openSession, telling } from '../remote/session.js'

export const fetchBundle: CommandRun = (invocation, io) =>
  telling(async () => {
    const { days, output } = invocation.options
    const { data } = await openSession(invocation, io).send<{ bundle: unknown }>({
      method: 'GET',
      path: '/compliance/bundle',
      query: days === undefined ? {} : { days: String(days) },
    })
    const text = `${JSON.stringify(data.bundle)}\n`
    if (typeof output === 'string' && output !== '-') await writeTextFile(resolve(io.cwd, output), text)
    else await write(io.stdout, text)
    return ExitCode.clean
  })

export const verifyBundle: CommandRun = async (invocation, io) => {
  const { origin, orgId, issuedAt, expiresAt, rules, exemptions } = await readBundle(
    argument(invocation, 0),
    invocation,
    io,
  )
  await write(
    io.stdout,
    `VALID  ${rules.length} rules and ${exemptions.length} exemptions of ${orgId}, by ${origin}, from ${issuedAt} to ${expiresAt}\n`,
  )
  return ExitCode.clean
}

const columns = {
  name: 'rule.name',
  target: 'rule.target',
  severity: 'rule.severity',
  mode: 'mode',
  source: 'rule.source',
  version: 'rule.version',
  id: 'rule.id',
}

export const showBundle: CommandRun = async (invocation, io) => {
  const { rules } = await readBundle(argument(invocation, 0), invocation, io)
  await showRecords(invocation, io, { records: rules as unknown as JsonObject[], columns })
  return ExitCode.clean
}
