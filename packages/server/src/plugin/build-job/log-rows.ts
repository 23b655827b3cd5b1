/**
 * The log of a build in the database, as rows of pieces: the first 8 KiB and the last 256 KiB of each attempt. An
 * append reads and writes the job's row and one piece, however long the log is.
 */
import { and, asc, desc, eq, gt, gte, inArray, lte, type Placeholder, sql } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import { perRuntime } from '../../runtime/per-runtime.js'
import { createSecretBox } from '../../runtime/secret-box.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { insertRows, prepared } from '../../runtime/store/prepared.js'
import { type BuildJobRow, pluginTables } from '../tables.js'
import { logEnd, logStep } from './log-text.js'

const HEAD_CHARS = 8192
const KEPT_CHARS = 262_144
/** Text is appended to a row until it has this many characters. */
const ROW_CHARS = 4096
const PIECE_CHARS_MAX = 16_384

const boxOf = perRuntime(({ settings }: Runtime) => createSecretBox(settings.SECRET_ENCRYPTION_KEYS ?? []))
const purposeOf = ({ id, orgId }: Pick<BuildJobRow, 'id' | 'orgId'>): string => `build-log\n${orgId}\n${id}`

type Written = Pick<BuildJobRow, 'logEnd' | 'logTail'>

function heldOf(runtime: Runtime, job: BuildJobRow): string {
  if (job.logTail === null) return ''
  try {
    return boxOf(runtime).open(job.logTail, purposeOf(job))
  } catch {
    // The encryption key was removed while the build ran: the unfinished line is lost, and the build continues.
    return ''
  }
}

/** Appends to the log. @returns the new log columns of the job's row. */
export async function appendLog(tx: Tx, runtime: Runtime, job: BuildJobRow, piece: string): Promise<Written> {
  const { text, held } = logStep(heldOf(runtime, job), piece)
  const end = await writePieces(tx, job, text)
  return { logEnd: end, logTail: held === '' ? null : boxOf(runtime).seal(held, purposeOf(job)) }
}

/**
 * Writes the unfinished line as it is, because the attempt has ended.
 * @param last a line of the server after it.
 * @returns what ends with it in the job's row.
 */
export async function endLog(
  tx: Tx,
  runtime: Runtime,
  job: BuildJobRow,
  last?: string,
): Promise<Written & Pick<BuildJobRow, 'secretsGiven'>> {
  const held = logEnd(heldOf(runtime, job))
  const text = last === undefined ? held : `${held}${held === '' ? '' : '\n'}${logEnd(last)}\n`
  return { logEnd: await writePieces(tx, job, text), logTail: null, secretsGiven: null }
}

async function writePieces(tx: Tx, job: BuildJobRow, text: string): Promise<number> {
  const { buildLogs: t } = pluginTables(tx)
  let place = job.logEnd
  for (const piece of piecesOf(text)) {
    const [last] = await lastPiece(tx, job)
    if (last !== undefined && last.attempt === job.totalAttempts && last.chars < ROW_CHARS) {
      await tx
        .update(t)
        .set({ text: sql`${t.text} || ${piece}`, chars: last.chars + piece.length })
        .where(and(eq(t.jobId, job.id), eq(t.place, last.place)))
    } else {
      const { id: jobId, orgId, totalAttempts: attempt } = job
      await insertRows(tx, t, [{ jobId, orgId, place, chars: piece.length, attempt, text: piece }])
    }
    place += piece.length
  }
  // guard: a-build-log-is-bounded
  if (place - job.logStart > HEAD_CHARS + KEPT_CHARS) {
    const between = { fromPlace: job.logStart + HEAD_CHARS, toPlace: place - KEPT_CHARS }
    await deleteBetween(tx, { jobId: job.id, attempt: job.totalAttempts, ...between })
  }
  return place
}

const lastPiece = prepared((db, value: (name: 'id' | 'orgId') => Placeholder) => {
  const { buildLogs: t } = pluginTables(db)
  return db
    .select({ place: t.place, chars: t.chars, attempt: t.attempt })
    .from(t)
    .where(and(eq(t.jobId, value('id')), eq(t.orgId, value('orgId'))))
    .orderBy(desc(t.place))
    .limit(1)
})

const deleteBetween = prepared((db, value: (name: 'jobId' | 'attempt' | 'fromPlace' | 'toPlace') => Placeholder) => {
  const { buildLogs: t } = pluginTables(db)
  const isBetween = and(gte(t.place, value('fromPlace')), lte(sql`${t.place} + ${t.chars}`, value('toPlace')))
  return db.delete(t).where(and(eq(t.jobId, value('jobId')), eq(t.attempt, value('attempt')), isBetween))
})

/** Splits between characters, never inside a surrogate pair. */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + PIECE_CHARS_MAX
    const isWithin = end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? '')
    yield text.slice(at, isWithin ? end - 1 : end)
    at = isWithin ? end - 1 : end
  }
}

export interface LogPiece {
  readonly place: number
  readonly text: string
}

/** The pieces after an offset, in order. */
export async function piecesBehind(db: Db, job: BuildJobRow, place: number, rowsMax = 1000): Promise<LogPiece[]> {
  return behind(db, { jobId: job.id, orgId: job.orgId, place, rowsMax })
}

const behind = prepared((db, value: (name: 'jobId' | 'orgId' | 'place' | 'rowsMax') => Placeholder) => {
  const { buildLogs: t } = pluginTables(db)
  const isBehind = gt(sql`${t.place} + ${t.chars}`, value('place'))
  return db
    .select({ place: t.place, text: t.text })
    .from(t)
    .where(and(eq(t.jobId, value('jobId')), eq(t.orgId, value('orgId')), isBehind))
    .orderBy(asc(t.place))
    .limit(value('rowsMax'))
})

/** A line in place of the text that was left out. */
export const OMITTED = '[… left out …]\n'

/** Deletes jobs with their logs. @returns how many jobs were deleted. */
export async function deleteJobs(tx: Tx, orgId: string, ids: readonly string[]): Promise<number> {
  const { buildJobs, buildLogs } = pluginTables(tx)
  if (ids.length === 0) return 0
  const which = [...ids]
  await tx.delete(buildLogs).where(and(eq(buildLogs.orgId, orgId), inArray(buildLogs.jobId, which)))
  await tx.delete(buildJobs).where(and(eq(buildJobs.orgId, orgId), inArray(buildJobs.id, which)))
  return ids.length
}
