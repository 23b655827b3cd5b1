/** `plumbline billing discount inspect`: opens a token with the key ring, without a server. */
import { openToken, parseKeyRing } from '@plumbline/billing-core'
import { nodeCrypto } from '@plumbline/billing-core/node'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { printData } from '../program/print-data.js'
import { write } from '../program/write.js'
import { describeTerms } from './discount-parse.js'
import { argument, describeRefusal, readInput, take, textOption } from './input.js'
import { renderTable } from './table.js'

export const run: CommandRun = async (invocation, io) => {
  const file = textOption(invocation, 'keysFile')
  const keys = file === undefined ? io.env.BILLING_DISCOUNT_KEYS : (await readInput(file, io)).trim()
  if (keys === undefined || keys === '') {
    throw new UsageError('there are no keys', 'set BILLING_DISCOUNT_KEYS or give --keys-file')
  }
  const ring = take(parseKeyRing(keys, file === undefined ? 'BILLING_DISCOUNT_KEYS' : '--keys-file'))
  const given = argument(invocation, 'token')
  const token = given === '-' ? (await readInput('-', io)).trim() : given
  const opened = openToken(nodeCrypto, ring, token)
  if (!opened.ok) {
    await write(io.stderr, `${describeRefusal(opened.refusal)}: the token does not open with these keys\n`)
    return ExitCode.findings
  }
  const { id, targetOrgId } = opened.value
  const rows = [['discount', id], ...describeTerms(opened.value), ['for account', targetOrgId ?? 'any']]
  const text = () => `${renderTable([{ title: 'field' }, { title: 'value' }], rows)}\n`
  await printData(invocation, io, opened.value, text)
  return ExitCode.clean
}
