/**
 * Receives the multipart body of an upload: text fields into `body`, the file to disk while its digest is computed. It
 * runs after the caller is authorized. Memory does not grow with the size of the file. Source: spec platform 10.2.
 */
import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { TObject } from 'typebox'
import { invalid, Refusal } from '../errors.js'
import { problems } from '../operation/schema.js'
import type { UploadedFile, UploadRule } from '../operation/upload.js'
import { checkAnnounced, mediaType, tooLarge } from './body.js'
import { queryReader } from './coerce.js'
import { boundaryOf, type Part, readMultipart } from './multipart.js'
import { nulIssues } from './nul.js'
import type { UploadFolder } from './upload-folder.js'

/** The limit of everything except the file: text fields, part headers and boundaries. */
const AROUND_BYTES_MAX = 262_144
const FIELDS_MAX = 64

export interface Received {
  readonly input: { readonly body: unknown; readonly file: UploadedFile }
  /** Deletes the file. Call it in any case. */
  remove(): Promise<void>
}

/** @throws Refusal 400, 408, 413 or 415. Nothing stays on disk then. */
export async function receiveUpload(
  request: Request,
  rule: UploadRule,
  fieldsSchema: TObject | undefined,
  folder: UploadFolder,
): Promise<Received> {
  const boundary = mediaType(request.headers) === 'multipart/form-data' ? boundaryOf(request.headers) : null
  if (boundary === null || request.body === null) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'send the body as `Content-Type: multipart/form-data`', {
      details: { accepted: ['multipart/form-data'] },
    })
  }
  const bytesMax = rule.bytesMax + AROUND_BYTES_MAX
  checkAnnounced(request.headers, bytesMax)
  const path = await folder.next()
  const late = new AbortController()
  // guard: how-long-a-body-takes
  const deadline = setTimeout(() => late.abort(tooLate(rule.arrivesMs)), rule.arrivesMs)
  const remove = () => rm(path, { force: true })
  try {
    const fields: Record<string, string[]> = {}
    let fieldBytes = 0
    let file: UploadedFile | undefined
    for await (const part of readMultipart(request.body, boundary, bytesMax, late.signal)) {
      if (part.filename === null) {
        const text = await textOf(part, AROUND_BYTES_MAX - fieldBytes)
        // guard: text-fields-of-a-form-are-counted-together
        fieldBytes += text.byteLength
        addField(fields, part.name, text.toString('utf8'))
      } else {
        if (part.name !== rule.part) throw unknownPart(part.name, rule)
        if (file !== undefined) throw unknownPart(`${part.name} a second time`, rule)
        file = await storeFile(part, rule, path)
      }
    }
    if (file === undefined) {
      throw new Refusal('MISSING_REQUIRED_FIELD', `the file part \`${rule.part}\` is missing`, {
        details: { field: rule.part },
      })
    }
    return { input: { body: checkFields(fields, fieldsSchema), file }, remove }
  } catch (error) {
    // guard: an-upload-leaves-no-file
    await remove()
    throw error
  } finally {
    clearTimeout(deadline)
  }
}

/** The rest of the body is not read, so the connection cannot be used again. */
const tooLate = (arrivesMs: number): Refusal =>
  new Refusal('REQUEST_TIMEOUT', `the body of an upload must arrive within ${arrivesMs / 1000} s`, {
    headers: { Connection: 'close' },
  })

function addField(fields: Record<string, string[]>, name: string, value: string): void {
  if (name === '__proto__' || Object.keys(fields).length >= FIELDS_MAX) {
    throw invalid([{ path: '/body', message: `has an extra field: ${JSON.stringify(name)}`, code: 'unknown_field' }])
  }
  // `constructor` and similar names are treated as ordinary field names; the schema refuses them.
  fields[name] = Object.hasOwn(fields, name) ? [...(fields[name] ?? []), value] : [value]
}

/** Converts texts to the types of the schema, as in a query. A field that the schema does not name is refused. */
function checkFields(fields: Record<string, string[]>, schema: TObject | undefined): unknown {
  const known = new Set(Object.keys(schema?.properties ?? {}))
  const issues = Object.keys(fields)
    .filter((name) => !known.has(name))
    .map((name) => ({ path: `/body/${name}`, message: 'is not a known field', code: 'unknown_field' }))
  const body = schema === undefined ? undefined : queryReader(schema)(fields)
  if (schema !== undefined) issues.push(...problems(schema, body, '/body'), ...nulIssues(body, '/body'))
  if (issues.length > 0) throw invalid(issues)
  return body
}

async function storeFile(part: Part, rule: UploadRule, path: string): Promise<UploadedFile> {
  if (!rule.contentTypes.includes(part.contentType)) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', `the part \`${rule.part}\` is ${part.contentType}`, {
      details: { accepted: rule.contentTypes },
    })
  }
  const digest = createHash('sha256')
  let bytes = 0
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of part.content) {
      bytes += chunk.byteLength
      // guard: how-large-a-file-is
      if (bytes > rule.bytesMax) throw tooLarge(rule.bytesMax)
      digest.update(chunk)
      await handle.write(chunk)
    }
  } finally {
    await handle.close()
  }
  return {
    name: baseName(part.filename ?? ''),
    contentType: part.contentType,
    bytes,
    sha256: digest.digest('hex'),
    path,
  }
}

/** The last segment, without control characters. It is only shown and never used as a path. */
function baseName(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1) ?? ''
  return last.replaceAll(/\p{C}/gu, '').slice(0, 255) || 'file'
}

/** Fields are kept in memory, so their total size is limited while they arrive. */
async function textOf({ name, content }: Part, bytesLeft: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.byteLength
    // guard: text-fields-of-a-form-are-bounded-while-they-arrive
    if (bytes > bytesLeft) {
      throw new Refusal('PAYLOAD_TOO_LARGE', `the other fields are larger than ${AROUND_BYTES_MAX} bytes`, {
        details: { bytesMax: AROUND_BYTES_MAX, field: name.slice(0, 100) },
        // The rest of the body is not read.
        headers: { Connection: 'close' },
      })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function unknownPart(what: string, { part }: UploadRule): Refusal {
  return invalid([
    { path: `/body/${what}`, message: `is not expected; the only file part is \`${part}\``, code: 'unknown_field' },
  ])
}
