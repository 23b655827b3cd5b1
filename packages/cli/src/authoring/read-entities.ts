/**
 * The plugins and pipelines that a command works on, from files, folders, globs and standard input.
 * INVARIANT: what cannot be read is returned as a problem next to the entities. It never stops the read at the first
 * problem.
 */
import { resolve } from 'node:path'
import { type Io, UsageError } from '../command.js'
import type { Settings } from '../config/settings.js'
import { type Diagnostic, formatDiagnostic } from '../input/diagnostic.js'
import { entitiesOf, type SourceEntity } from '../input/entities.js'
import { diskTree } from '../input/file-tree.js'
import { findFiles, strayProblem } from '../input/find-files.js'
import type { ParsedText } from '../input/parse-text.js'
import { readDocuments, readStdin } from '../input/read-documents.js'
import type { Log } from '../program/log.js'

export interface ReadEntities {
  readonly entities: readonly SourceEntity[]
  readonly problems: readonly Diagnostic[]
}

/**
 * @param names the names on the command line; if it is empty, those of the configuration are used.
 * @throws UsageError for a name that does not exist.
 */
export async function readEntities(names: readonly string[], settings: Settings, io: Io): Promise<ReadEntities> {
  const configured = settings.files.value.map((name) => resolve(settings.files.base, name))
  const wanted = names.length > 0 ? names : configured
  if (wanted.length === 0) {
    throw new UsageError('no plugins or pipelines are named', 'name files, or set `files` in plumbline.config.yaml')
  }
  const parsed: ParsedText[] = []
  const files = wanted.filter((name) => name !== '-')
  const found = await findFiles(diskTree, files, { cwd: io.cwd, ignore: settings.ignore.value, within: settings.root })
  const [nothing] = [...found.missing, ...found.unmatched]
  if (nothing !== undefined) throw new UsageError(`no plugin or pipeline files at ${nothing}`, 'correct the path')
  if (files.length < wanted.length) parsed.push(await readStdin(io, '<stdin>', settings.maxFileBytes.value))
  for (const path of found.files) {
    parsed.push(await readDocuments(diskTree, path, io.cwd, settings.maxFileBytes.value))
  }

  const { value: target } = settings.target
  const options = { raw: settings.raw.value, limits: settings.limits.value, ...(target === null ? {} : { target }) }
  const entities: SourceEntity[] = []
  const problems = found.strays.map((link) => strayProblem(link, io.cwd))
  for (const { documents, problems: unread } of parsed) {
    const read = entitiesOf(documents, options)
    entities.push(...read.entities)
    problems.push(...unread, ...read.problems)
  }
  return { entities, problems }
}

/** Prints what could not be evaluated to stderr. */
export function reportProblems(problems: readonly Diagnostic[], log: Log): void {
  for (const problem of problems) log.error(formatDiagnostic(problem))
}

/** A name for messages that distinguishes entities of several files. */
export function entityPlace(entity: SourceEntity): string {
  return `${entity.located.file}:${entity.located.positionOf(entity.at).line}`
}
