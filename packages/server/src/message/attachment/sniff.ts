/**
 * Checks the bytes of an upload: its type is decided by its content, whatever the client declares. Files that are valid
 * in two formats (polyglots), and text that a browser would render as HTML or SVG, are refused.
 */
import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import type { Sniffed } from './types.js'

/** A zip file may have a comment of up to 64 KiB after its end record of 22 bytes. */
const ZIP_END_BYTES = 65_557
/** How far PDF readers search for the PDF header, and browsers for HTML. */
const HEAD_BYTES = 1445

const ZIP_END = Buffer.from('PK\x05\x06', 'latin1')
const PDF_HEAD = Buffer.from('%PDF-')
/** Tags by which browsers detect HTML when they sniff, and SVG. */
const MARKUP =
  /<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|svg|!--|\?xml)(?=[\s>/]|$)/i
/** A text counts as markup only if it begins with it; markup further down may be quoted. */
const BEGINS_WITH_MARKUP = new RegExp(`^[\\s\\ufeff]*${MARKUP.source}`, 'i')
const SCRIPT = /<(script|svg|html|iframe|!doctype html)[\s>/]/i

const BINARY = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'])

export type Looked = { readonly type: Sniffed } | { readonly problem: string }

/** @param wantsText the file must be a text: only then is it read completely. */
export async function lookAt(path: string, bytes: number, wantsText: boolean): Promise<Looked> {
  if (bytes === 0) return wantsText ? { type: 'text' } : { problem: 'is empty' }
  const found = await fileTypeFromFile(path).catch(() => undefined)
  const type = found?.mime
  // XML and plain text have no signature that could contradict the type text.
  if (wantsText) {
    if (type !== undefined && type !== 'application/xml') return { problem: `is ${type}, not text` }
    return lookAtText(path)
  }
  if (type === undefined) return { problem: 'has an unknown type' }
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
      if (part.includes('\0')) return { problem: 'contains a NUL, which text cannot have' }
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

/**
 * Finds another format in the same bytes: a zip is read from its end, and PDF readers and browsers read from the
 * beginning.
 */
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
    return SCRIPT.test(head.toString('latin1')) ? 'contains markup in its head' : null
  } finally {
    await file.close()
  }
}
