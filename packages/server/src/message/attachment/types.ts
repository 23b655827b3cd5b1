/**
 * The allowed types of attachments: the declared types, the sniffed types that each may have, and the file extensions
 * that determine the type when a client only declares `application/octet-stream`. Source: spec platform 13.
 */

/** The type of the bytes: the sniffed type, `text` for UTF-8 without NUL, `unknown` for anything else. */
export type Sniffed = string

const TEXT = ['text']
const ZIP = ['application/zip']
const GZIP = ['application/gzip']
const TAR = ['application/x-tar']
const CFB = ['application/x-cfb']
const ooxml = (kind: string) => `application/vnd.openxmlformats-officedocument.${kind}`
const DOCX = ooxml('wordprocessingml.document')
const XLSX = ooxml('spreadsheetml.sheet')
const PPTX = ooxml('presentationml.presentation')
/** Office documents are zip files too, so they may be declared as zip. */
const ANY_ZIP = [...ZIP, DOCX, XLSX, PPTX]

/** Declared types, with the sniffed types that each allows. */
export const ALLOWED: Readonly<Record<string, readonly Sniffed[]>> = {
  'image/png': ['image/png'],
  'image/jpeg': ['image/jpeg'],
  'image/gif': ['image/gif'],
  'image/webp': ['image/webp'],
  'application/pdf': ['application/pdf'],
  'text/plain': TEXT,
  'text/csv': TEXT,
  'application/json': TEXT,
  'text/json': TEXT,
  'application/yaml': TEXT,
  'application/x-yaml': TEXT,
  'text/yaml': TEXT,
  'text/x-yaml': TEXT,
  'application/zip': ANY_ZIP,
  'application/x-zip-compressed': ANY_ZIP,
  'application/gzip': GZIP,
  'application/x-gzip': GZIP,
  'application/x-tar': TAR,
  'application/tar': TAR,
  'application/x-compressed-tar': GZIP,
  'application/msword': CFB,
  'application/vnd.ms-excel': CFB,
  [DOCX]: [DOCX],
  [XLSX]: [XLSX],
  [PPTX]: [PPTX],
}

export const OCTETS = 'application/octet-stream'

/** The type of a file without a declared type, by its extension. */
const BY_ENDING: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  txt: 'text/plain',
  csv: 'text/csv',
  doc: 'application/msword',
  docx: DOCX,
  xls: 'application/vnd.ms-excel',
  xlsx: XLSX,
  ppt: 'application/vnd.ms-powerpoint',
  pptx: PPTX,
  zip: 'application/zip',
  gz: 'application/gzip',
  tgz: 'application/gzip',
  tar: 'application/x-tar',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
}

/** Extensions that are always refused: a browser or a desktop would execute the content. */
const REFUSED_ENDING = /^(x?html?|xht|shtml|mht(ml)?|svgz?|xml|js|mjs|exe|bat|cmd|com|scr|msi|vbs|ps1|sh|jar|hta|lnk)$/

export const endingOf = (filename: string): string => /\.([A-Za-z0-9]{1,10})$/.exec(filename)?.[1]?.toLowerCase() ?? ''

/**
 * The type under which the file is stored and served, with the sniffed types that it allows; null for a file that is
 * refused.
 */
export function wantedType(
  declared: string,
  filename: string,
): { readonly contentType: string; readonly sniffed: readonly Sniffed[] } | null {
  const ending = endingOf(filename)
  if (REFUSED_ENDING.test(ending)) return null
  const contentType = declared === OCTETS ? BY_ENDING[ending] : declared
  if (contentType === undefined) return null
  const sniffed = ALLOWED[contentType] ?? (contentType === 'application/vnd.ms-powerpoint' ? CFB : undefined)
  return sniffed === undefined ? null : { contentType, sniffed }
}

export const isImage = (contentType: string): boolean => contentType.startsWith('image/')
