/**
 * Parses the two XML documents of S3 that the server needs: a page of names, and an error. Of a page only the names
 * that the server wrote matter.
 */

export interface ListedObject {
  readonly key: string
  readonly bytes: number
  readonly modifiedAtMs: number
}

export interface Listing {
  readonly objects: readonly ListedObject[]
  /** Continues the list; null at its end. */
  readonly next: string | null
}

/** @throws Error for anything else: a page that was not understood must not look like an empty page. */
export function readListing(xml: string): Listing {
  if (!/<ListBucketResult[\s>]/.test(xml)) throw new Error('the bucket answered no list')
  const objects = xml
    .split('<Contents>')
    .slice(1)
    .map((after) => {
      const [inner = ''] = after.split('</Contents>', 1)
      const key = textOf(inner, 'Key')
      const bytes = Number(textOf(inner, 'Size') ?? Number.NaN)
      const modifiedAtMs = Date.parse(textOf(inner, 'LastModified') ?? '')
      if (key === null || !Number.isSafeInteger(bytes) || Number.isNaN(modifiedAtMs)) {
        throw new Error('the bucket lists something without name, size or time')
      }
      return { key, bytes, modifiedAtMs }
    })
  if (textOf(xml, 'IsTruncated') !== 'true') return { objects, next: null }
  const next = textOf(xml, 'NextContinuationToken')
  if (next === null || next === '') throw new Error('the bucket does not say how its list goes on')
  return { objects, next }
}

/** The code of an error, such as `NoSuchKey` or `AccessDenied`; empty when the answer has none. */
export const errorCodeOf = (xml: string): string => textOf(xml, 'Code') ?? ''

function textOf(xml: string, name: string): string | null {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return found === undefined ? null : unescaped(found)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescaped = (text: string): string =>
  text.replaceAll(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,4});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? whole
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
