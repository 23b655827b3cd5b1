/**
 * Looks at the bytes of an upload: a file is what its content says, whatever the client calls it. Files that are two things
 * at once (polyglots), and text that a browser would take for HTML or SVG, are none of ours.
 */
import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import type { Sniffed } from './types.js'

/** A zip may have a comment of up to 64 KiB behind its end record of 22 bytes. */
const ZIP_END_BYTES = 65_557
/** How far readers of PDF look for its header, and browsers for HTML. */
const HEAD_BYTES = 1445

const ZIP_END = Buffer.from('PK\x05\x06', 'latin1')
const PDF_HEAD = Buffer.from('%PDF-')
/** What the sniffing of browsers knows HTML by, and SVG. */
const MARKUP =
  /<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|svg|!--|\?xml)(?=[\s>/]|$)/i
/** A text is markup by how it begins; markup further down is text about it. */
const BEGINS_WITH_MARKUP = new RegExp(`^[\\s\\ufeff]*${MARKUP.source}`, 'i')
const SCRIPT = /<(script|svg|html|iframe|!doctype html)[\s>/]/i

const BINARY = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'])

export type Looked = { readonly type: Sniffed } | { readonly problem: string }

/** @param wantsText the file is to be a text: only then is it read whole. */
export async function lookAt(path: string, bytes: number, wantsText: boolean): Promise<Looked> {
  if (bytes === 0) return wantsText ? { type: 'text' } : { problem: 'is empty' }
  const found = await fileTypeFromFile(path).catch(() => undefined)
  const type = found?.mime
  // XML and plain text have no signature of their own that could speak against a text.
  if (wantsText) {
    if (type !== undefined && type !== 'application/xml') return { problem: `is ${type} and no text` }
    return lookAtText(path)
  }
  if (type === undefined) return { problem: 'is of no known type' }
  if (BINARY.has(type)) {
    const problem = await secondNature(path, bytes, type)
    if (problem !== null) return { problem }
  }
  return { type }
}

async function lookAtText(path: string): Promise<Looked> {
  const file = await open(path)
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let head = ''
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      const part = decoder.decode(chunk as Buffer, { stream: true })
      if (part.includes('\0')) return { problem: 'has a NUL, which no text has' }
      if (head.length < HEAD_BYTES) head += part.slice(0, HEAD_BYTES)
    }
    decoder.decode()
    return BEGINS_WITH_MARKUP.test(head) ? { problem: 'is HTML, SVG or XML' } : { type: 'text' }
  } catch (error) {
    if (error instanceof TypeError) return { problem: 'is not valid UTF-8' }
    throw error
  } finally {
    await file.close()
  }
}

/** Another format in the same bytes: at the end a zip reads, at the beginning a PDF reader and a browser. */
async function secondNature(path: string, bytes: number, type: string): Promise<string | null> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(Math.min(HEAD_BYTES, bytes))
    await file.read(head, 0, head.length, 0)
    const tail = Buffer.alloc(Math.min(ZIP_END_BYTES, bytes))
    await file.read(tail, 0, tail.length, bytes - tail.length)
    if (tail.includes(ZIP_END)) return 'is an archive too'
    if (type !== 'application/pdf' && head.includes(PDF_HEAD)) return 'is a PDF too'
    if (type === 'application/pdf' && head.indexOf(PDF_HEAD) !== 0) return 'does not begin as a PDF'
    return SCRIPT.test(head.toString('latin1')) ? 'holds markup in its head' : null
  } finally {
    await file.close()
  }
}
