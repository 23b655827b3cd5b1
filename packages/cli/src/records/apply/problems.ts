/**
 * The problems that the server found in the fields of a document, each with the place where its author wrote the field.
 */
import { ApiError } from '@plumbline/client'
import { pointerPath } from '../../input/located.js'
import { printable } from '../../program/printable.js'
import { fieldPointer, issueText, problemLines, spoken } from '../../remote/refusal.js'
import type { JsonObject } from '../resource.js'
import type { ApplyDocument } from './documents.js'
import { DraftProblems, listOf } from './validate.js'

type Placed = Pick<ApplyDocument, 'located' | 'at'> | null

/** One line for each problem, then what the log of the server knows it by. */
export function errorLines(error: Error, document: Placed): string[] {
  if (error instanceof DraftProblems) return error.issues.map((issue) => issueLine(issue, document))
  if (!(error instanceof ApiError)) return [printable(error.message)]
  const issues = listOf(error.details.issues)
  const id = error.requestId === null ? [] : [`request id: ${printable(error.requestId)}`]
  if (issues.length === 0) return [`${printable(spoken(error.message))} (${error.code})`, ...problemLines(error), ...id]
  return [
    `the server refuses the document (${error.code})`,
    ...issues.map((issue) => issueLine(issue, document)),
    ...id,
  ]
}

/** A remark about a field, such as a plugin that the organization cannot see. */
export const noteLine = (note: JsonObject, document: Placed): string =>
  `${issueLine(note, document)}${typeof note.code === 'string' ? ` (${note.code})` : ''}`

/** `apply` makes the archive of a plugin, so its author has not seen the file that the server names. */
const MADE_FILE = /^\/body\/plugin\/[\w-]+\.yaml(?=\/)/
const MADE_PLACE = /^line \d+, column \d+: /

function issueLine(issue: JsonObject, document: Placed): string {
  const path = String(issue.path ?? '')
  const written = MADE_FILE.test(path)
    ? { path: path.replace(MADE_FILE, '/body'), message: String(issue.message).replace(MADE_PLACE, '') }
    : issue
  const pointer = fieldPointer(String(written.path ?? ''))
  if (document === null || pointer === null) return printable(issueText(written))
  const { located, at } = document
  const { line, column } = located.positionOf([...at, ...pointerPath(pointer)])
  return printable(`${located.file}:${line}:${column}: ${issueText(written)}`)
}
