/** Runs `plumbline bundle fetch|verify|show`. */
import { readBundle } from '../check/org-rules.js'
import { type CommandRun, ExitCode } from '../command.js'
import { argument } from '../program/invocation.js'
import { writeAndSay } from '../program/outputs.js'
import { printData } from '../program/print-data.js'
import { printable } from '../program/printable.js'
import type { JsonObject } from '../records/resource.js'
import { showRecords } from '../records/show.js'
import { openSession, telling } from '../remote/session.js'
import { count } from '../report/reporter.js'

export const fetchBundle: CommandRun = (invocation, io) =>
  telling(async () => {
    const { days, output } = invocation.options
    const { data } = await openSession(invocation, io).send<{ bundle: unknown }>({
      method: 'GET',
      path: '/compliance/bundle',
      query: days === undefined ? {} : { days: String(days) },
    })
    const next = `check with \`plumbline check --bundle ${printable(String(output))} --key <file>\``
    await writeAndSay(invocation, io, `${JSON.stringify(data.bundle)}\n`, next)
    return ExitCode.clean
  })

export const verifyBundle: CommandRun = async (invocation, io) => {
  const { origin, orgId, issuedAt, expiresAt, rules, exemptions } = await readBundle(
    argument(invocation, 0),
    invocation,
    io,
  )
  const counts = { rules: rules.length, exemptions: exemptions.length }
  await printData(invocation, io, { valid: true, origin, orgId, issuedAt, expiresAt, ...counts }, () => {
    const content = `${count(rules.length, 'rule')} and ${count(exemptions.length, 'exemption')}`
    return `VALID  ${content} of ${orgId}, by ${printable(origin)}, from ${issuedAt} to ${expiresAt}\n`
  })
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
