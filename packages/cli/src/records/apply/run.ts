/** `plumbline apply`, and `apply` of one kind of record. */
import { ApiError } from '@plumbline/client'
import { type CommandRun, ExitCode, NotDoneError, UsageError } from '../../command.js'
import { highestExit } from '../../program/exit-code.js'
import { flag, texts } from '../../program/invocation.js'
import { formOf } from '../../program/print-data.js'
import { write } from '../../program/write.js'
import { openSession, telling } from '../../remote/session.js'
import { tenantOf } from '../../remote/tenant.js'
import { pairsOf } from '../pairs.js'
import { showRecords } from '../show.js'
import { applyOne, type Outcome, type Place } from './apply-one.js'
import { readApplyDocuments } from './documents.js'
import { requireDryRun } from './dry-run.js'
import { type Kind, kinds } from './kinds.js'
import { checkSelected, prune, type Selector } from './prune.js'
import { outcomeJson, outcomeText, summaryText } from './report.js'

export const run: CommandRun = (invocation, io) => apply(undefined)(invocation, io)

export const applyKind = (resourceName: string): CommandRun =>
  apply(kinds.find(({ resource }) => resource.name === resourceName))

const apply =
  (kind: Kind | undefined): CommandRun =>
  async (invocation, io) => {
    const names = [...((invocation.arguments[0] ?? []) as readonly string[]), ...texts(invocation, 'file')]
    if (names.length === 0) throw new UsageError('no files are named', 'name files or folders; - is standard input')
    const selector = readSelector(texts(invocation, 'selector'), flag(invocation, 'prune'))
    const documents = await readApplyDocuments(names, io, kind === undefined ? {} : { kind })
    if (selector !== null) checkSelected(documents, selector)
    const session = openSession(invocation, io)
    const isDryRun = flag(invocation, 'dryRun')
    const ownOrg = (await telling(() => tenantOf(session))).id
    if (isDryRun) await telling(() => requireDryRun([...new Set(documents.map((each) => each.kind))], session))
    const place: Place = { session, ownOrg, isDryRun, wouldBe: new Set() }
    const isText = formOf(invocation, 'table') === 'table'
    const outcomes: Outcome[] = []
    const told = async (outcome: Outcome) => {
      outcomes.push(outcome)
      if (isText) await write(io.stdout, outcomeText(outcome, io, isDryRun))
    }
    for (const document of documents) await told(await applyOne(document, place))
    // After a failure, a document may be missing by mistake, so nothing is deleted.
    const isWhole = outcomes.every(({ action }) => action !== 'failed' && action !== 'blocked')
    if (selector !== null && isWhole) {
      for (const outcome of await telling(() => prune(documents, selector, place))) await told(outcome)
    }
    if (!isText) await showRecords(invocation, io, { columns: {}, records: outcomes.map(outcomeJson) })
    if (!flag(invocation, 'quiet')) await write(io.stderr, summaryText(outcomes, isDryRun))
    return highestExit(outcomes.map(exitOf))
  }

function readSelector(given: readonly string[], isPrune: boolean): Selector | null {
  if (!isPrune) {
    if (given.length > 0)
      throw new UsageError('--selector says what --prune may delete', 'give --prune too, or neither')
    return null
  }
  if (given.length === 0 || given.some((text) => !/^[^=]+=./.test(text))) {
    throw new UsageError('--prune needs a selector', 'name the label of these records: --selector team=web')
  }
  return pairsOf(given)
}

function exitOf({ action, error }: Outcome): number {
  if (action === 'blocked') return ExitCode.findings
  if (action !== 'failed') return ExitCode.clean
  if (error instanceof ApiError && [400, 413, 415, 422].includes(error.status)) return ExitCode.usage
  return error instanceof ApiError || error instanceof NotDoneError || error !== null
    ? ExitCode.notEvaluated
    : ExitCode.clean
}
