/**
 * Lets the server check files, as a dry run: what it would answer to an upload now, or would have answered in the past.
 */
import { randomUUID } from 'node:crypto'
import { ApiError } from '@plumbline/client'
import type { Target, UnresolvedRead, Violation } from '@plumbline/engine'
import type { Diagnostic } from '../input/diagnostic.js'
import type { SourceEntity } from '../input/entities.js'
import { entitiesOf, serverIdOf } from '../input/entities.js'
import { pointerPath } from '../input/located.js'
import type { ParsedText } from '../input/parse-text.js'
import type { Session } from '../remote/session.js'
import type { FileResult } from '../report/finding.js'
import { type CheckOptions, type Judge, resultOf } from './check-file.js'

export interface AskedServer {
  readonly session: Session
  /** The instant of the past whose rules apply; null for the rules of now. */
  readonly asOf: string | null
}

/**
 * @throws ApiError if the server does not answer with a verdict. An entity that the server refuses, because of its size
 * or a value, is a problem of the file.
 */
export async function checkByServer(
  file: string,
  parsed: ParsedText,
  server: AskedServer,
  options: CheckOptions,
): Promise<FileResult> {
  const read = entitiesOf(parsed.documents, {
    raw: options.raw,
    limits: options.limits,
    emptyList: options.emptyList,
    ...(options.target === null ? {} : { target: options.target }),
  })
  const verdicts = new Map<SourceEntity, ReturnType<Judge>>()
  const problems = [...read.problems]
  for (const entity of read.entities) {
    try {
      verdicts.set(entity, await dryRun(server, entity, options.raw))
    } catch (error) {
      if (!(error instanceof ApiError) || !OF_THE_FILE.has(error.status)) throw error
      problems.push(...refusals(error, file, entity))
    }
  }
  const judged = read.entities.filter((entity) => verdicts.has(entity))
  const judge: Judge = (entity) => verdicts.get(entity) ?? { violations: [], exempted: [], unresolved: [], waiting: [] }
  return resultOf(file, parsed, { ...read, entities: judged, problems }, options, judge)
}

/** Status codes that are about the entity that was sent: the next one may be answered. */
const OF_THE_FILE: ReadonlySet<number> = new Set([400, 413])

interface Issue {
  readonly path?: string
  readonly message: string
  readonly code?: string
}

const SMALLER = 'make it smaller, or ask the operator of the server for larger limits'

/** What the server refuses in an entity, each at the key that its author wrote. */
function refusals({ message: whole, status, details }: ApiError, file: string, entity: SourceEntity): Diagnostic[] {
  const issues = Array.isArray(details.issues) ? (details.issues as Issue[]) : [{ message: whole }]
  return issues.map(({ path = '', message, code = '' }: Issue) => {
    const field = pointerPath(/^\/body(?:\/attributes(?=\/|$))?(\/.*)?$/s.exec(path)?.[1] ?? '')
    return {
      file,
      position: entity.located.positionOf([...entity.at, ...field]),
      message: `${entity.name}: ${field.length === 0 ? '' : `${field.join('.')}: `}${message}`,
      fix:
        status === 413 || code.startsWith('attribute_') ? SMALLER : 'the server takes no record like this: correct it',
    }
  })
}

interface Answer {
  readonly violations: readonly Violation[]
  readonly unresolved?: readonly UnresolvedRead[]
  readonly deferredRules?: readonly { readonly ruleName: string }[]
  readonly exempted?: readonly {
    readonly exemptionId: string
    readonly reason: string | null
    readonly expiresAt: string | null
    readonly violation: Violation
  }[]
}

async function dryRun({ session, asOf }: AskedServer, entity: SourceEntity, raw: boolean): Promise<ReturnType<Judge>> {
  const path: Readonly<Record<Target, string>> = {
    plugin: '/compliance/validate/plugin/dry-run',
    pipeline: '/compliance/validate/pipeline/dry-run',
  }
  const { written } = entity
  const entityId = serverIdOf(entity)
  const { data } = await session.send<Answer>({
    method: 'POST',
    path: path[entity.target],
    body: {
      attributes: written,
      ...(raw ? {} : { complete: true }),
      ...(entityId === null ? {} : { entityId }),
      ...(asOf === null ? {} : { asOf }),
    },
    // A dry run has no effect, so it may be sent again.
    headers: { 'idempotency-key': randomUUID() },
  })
  return {
    violations: data.violations,
    unresolved: data.unresolved ?? [],
    waiting: (data.deferredRules ?? []).map(({ ruleName }) => ruleName),
    exempted: (data.exempted ?? []).map(({ exemptionId, reason, expiresAt, violation }) => ({
      violation,
      suppression: { kind: 'exemption', id: exemptionId, reason, expiresAt },
    })),
  }
}
