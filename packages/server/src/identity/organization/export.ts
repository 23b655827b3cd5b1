/**
 * Exports everything that the server stores about an organization, streamed row by row: one JSON document, or one
 * record per line. Each domain provides its own rows without secrets, hashes and tokens; what still looks like one is
 * redacted here. A failure aborts the connection; a complete export ends with a mark. Source: spec platform 14.
 */
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { invalidField } from '../../runtime/errors.js'
import { writeEvidence } from '../../runtime/jobs/evidence.js'
import { type Permission, permission, withStepUp } from '../../runtime/operation/access.js'
import { type StreamContext, tenantId } from '../../runtime/operation/context.js'
import { fromPath, type StreamEvent, stream } from '../../runtime/operation/operation.js'
import { liveOrganization } from '../account/organizations.js'
import { organizationPath } from '../paths.js'
import { factsOf } from './facts.js'
import { organizationRecord } from './record.js'

const FORMAT = 'plumbline.org-export'
const VERSION = 1

/** Our tokens, password hashes, private keys. */
const SECRET_SHAPED =
  /\bpl[kprs]_[A-Za-z0-9_-]{20,}|\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}|\$scrypt\$[^"\\\s]+|-----BEGIN [A-Z ]*PRIVATE KEY-----/g

const text = (value: unknown): string => JSON.stringify(value).replaceAll(SECRET_SHAPED, '[REDACTED]')

const HEAD_EXAMPLE = {
  format: FORMAT,
  version: VERSION,
  exportedAt: '2026-01-15T09:30:00.000Z',
  exportedBy: '019a9b52-1c00-7000-8000-000000000000',
  organization: { slug: 'acme' },
}

const WHOLE = {
  media: 'application/json',
  fileName: 'org-export.json',
  nameFor: ({ slug }: { readonly slug: string }) => `org-${slug}-export.json`,
  example: text({ ...HEAD_EXAMPLE, members: [{ username: 'ann', isActive: true }], complete: true }),
}

const LINES = {
  media: 'application/x-ndjson',
  fileName: 'org-export.ndjson',
  nameFor: ({ slug }: { readonly slug: string }) => `org-${slug}-export.ndjson`,
  example: [
    { section: 'export', row: HEAD_EXAMPLE },
    { section: 'members', row: { username: 'ann', isActive: true } },
    { section: 'end', row: { rows: 1 } },
  ]
    .map((line) => `${text(line)}\n`)
    .join(''),
}

/** `GET /organization/:id/export`. */
export const exportOrganization = stream({
  name: 'identity.organization.export',
  summary: 'Export an organization',
  description:
    'Each section needs the permission that reads its records. Sections that the caller may not read are left out; `leftOut` names them with the permission.',
  http: { method: 'get', ...organizationPath('/:id/export') },
  access: withStepUp(permission('org:settings')),
  tenant: fromPath('id'),
  acrossOrganizations: 'the teams of a root are organizations of their own',
  rateLimit: 'export',
  download: { forms: [WHOLE, LINES], choose: ({ query: { format } }) => (format === 'ndjson' ? LINES : WHOLE) },
  input: {
    path: Type.Object({ id: Type.String() }),
    query: Type.Object({
      format: Type.Optional(Type.Enum(['json', 'ndjson'])),
      include: Type.Optional(
        Type.String({ maxLength: 1000, description: 'Sections, separated by commas; all when absent' }),
      ),
    }),
  },
  output: Type.String(),
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  async open(context, { query: { format = 'json', include } }) {
    const orgId = tenantId(context)
    const wanted = sectionsOf(context, include)
    const { sections, leftOut } = readable(context, wanted)
    const organization = await context.read(async (db) => {
      const row = await liveOrganization(db, orgId)
      return organizationRecord(row, await factsOf(db, context.runtime, row))
    })
    await recordExport(context, orgId, format, sections)
    const head = {
      format: FORMAT,
      version: VERSION,
      exportedAt: toIso(context.nowMs),
      exportedBy: context.actor.id,
      organization,
      leftOut,
    }
    return asEvents(format === 'json' ? json(context, orgId, head, sections) : ndjson(context, orgId, head, sections))
  },
})

function sectionsOf({ runtime }: StreamContext, include: string | undefined): ReadonlySet<string> {
  const known = runtime.domains.flatMap(({ exportSections }) => exportSections)
  if (include === undefined) return new Set(known)
  const wanted = include.split(',').map((name) => name.trim())
  const unknown = wanted.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw invalidField(
      '/query/include',
      `has unknown sections: ${unknown.join(', ')}; the sections are ${known.join(', ')}`,
      'enum',
    )
  }
  return new Set(wanted)
}

interface LeftOut {
  readonly section: string
  readonly permission: Permission
}

/**
 * The requested sections that the caller may read, and the names of the others. A section without a permission is a
 * bug.
 */
function readable(
  { runtime, authority }: StreamContext,
  wanted: ReadonlySet<string>,
): { sections: ReadonlySet<string>; leftOut: readonly LeftOut[] } {
  const reads = new Map(runtime.domains.flatMap(({ exportReads }) => Object.entries(exportReads)))
  const sections = new Set<string>()
  const leftOut: LeftOut[] = []
  for (const section of wanted) {
    const needed = reads.get(section)
    if (needed === undefined) throw new Error(`no permission reads the section ${section}`)
    // guard: sections-of-an-export-that-the-caller-may-not-read
    if (authority.permissions.has(needed)) sections.add(section)
    else leftOut.push({ section, permission: needed })
  }
  return { sections, leftOut }
}

/** The audit event is durable before the first byte is sent. */
async function recordExport(
  context: StreamContext,
  orgId: string,
  format: string,
  sections: ReadonlySet<string>,
): Promise<void> {
  await context.runtime.store.tenant({ orgId, readableOrgIds: [] }).write(async (tx) => {
    await writeEvidence(tx, context, 'admin.org.export', {
      targetType: 'organization',
      targetId: orgId,
      details: { format, include: [...sections] },
    })
  })
}

type Head = Readonly<Record<string, unknown>>

async function* asEvents(parts: AsyncIterable<string>): AsyncGenerator<StreamEvent<string>> {
  for await (const data of parts) yield { event: 'part', data }
}

/**
 * Sections are keys of the document, each once; `compliance.rules` is `rules` in `compliance`. If that key is taken (by
 * a section `compliance`, or because the group was closed before), the section is written under its full name. Every
 * requested section is present, even if empty.
 */
async function* json(
  { runtime, read }: StreamContext,
  orgId: string,
  head: Head,
  sections: ReadonlySet<string>,
): AsyncGenerator<string> {
  const taken = new Set([...Object.keys(head), 'complete', ...runtime.domains.flatMap((each) => each.exportSections)])
  yield text(head).slice(0, -1)
  let group = ''
  for (const domain of runtime.domains) {
    for (const section of domain.exportSections) {
      if (!sections.has(section)) continue
      const dot = section.indexOf('.')
      const first = dot < 0 ? '' : section.slice(0, dot)
      // guard: sections-of-an-export-do-not-take-the-key-of-another
      const inGroup = first === group || !taken.has(first) ? first : ''
      if (inGroup === group) yield ','
      else yield `${group === '' ? '' : '}'},${inGroup === '' ? '' : `${JSON.stringify(inGroup)}:{`}`
      taken.add(inGroup)
      group = inGroup
      yield `${JSON.stringify(inGroup === '' ? section : section.slice(dot + 1))}:[`
      let separator = '\n'
      for await (const { row } of domain.exportRows(read, orgId, new Set([section]))) {
        yield separator + text(row)
        separator = ',\n'
      }
      yield ']'
    }
  }
  yield `${group === '' ? '' : '}'},"complete":true}\n`
}

async function* ndjson(
  { runtime, read }: StreamContext,
  orgId: string,
  head: Head,
  sections: ReadonlySet<string>,
): AsyncGenerator<string> {
  yield `${text({ section: 'export', row: head })}\n`
  let rows = 0
  for (const domain of runtime.domains) {
    for await (const record of domain.exportRows(read, orgId, sections)) {
      rows += 1
      yield `${text(record)}\n`
    }
  }
  yield `${text({ section: 'end', row: { rows } })}\n`
}
