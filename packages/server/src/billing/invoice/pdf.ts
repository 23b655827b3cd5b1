/**
 * An invoice as PDF. The PDF writer is loaded with the first invoice, because that takes a tenth of a second and some
 * memory, and because it is not installed everywhere. The same invoice gives the same bytes: its times are those of the
 * invoice.
 */
import { createRequire } from 'node:module'
import { Refusal } from '../../runtime/errors.js'
import { type InvoiceDocument, textOf } from './document.js'

type PdfKit = typeof import('pdfkit')

const MARGIN = 56
const WIDTH = 595.28 - 2 * MARGIN
const BOTTOM = 841.89 - MARGIN
const AMOUNT_WIDTH = 110

interface Library {
  readonly PDFDocument: PdfKit
  readonly regular: string
  readonly bold: string
}

let loading: Promise<Library> | undefined

async function load(): Promise<Library> {
  const fonts = createRequire(import.meta.url)
  const { default: PDFDocument } = await import('pdfkit')
  return {
    PDFDocument,
    regular: fonts.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
    bold: fonts.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  }
}

/** @throws Refusal 503 when the packages are not installed. */
export async function invoicePdf(
  document: InvoiceDocument,
  loaded: () => Promise<Library> = () => {
    loading ??= load()
    return loading
  },
): Promise<Uint8Array<ArrayBuffer>> {
  let library: Library
  try {
    library = await loaded()
  } catch (cause) {
    loading = undefined
    throw new Refusal(
      'SERVICE_UNAVAILABLE',
      'the server writes no PDF: install the packages pdfkit and dejavu-fonts-ttf, or ask for text/html',
      { cause },
    )
  }
  return written(document, library)
}

async function written(
  document: InvoiceDocument,
  { PDFDocument, regular, bold }: Library,
): Promise<Uint8Array<ArrayBuffer>> {
  const { title, issuer, facts, lines, sums } = textOf(document)
  const at = new Date(document.invoice.createdAt)
  const info = { Title: `${title} ${document.invoice.id}`, CreationDate: at, ModDate: at, Producer: 'Plumbline' }
  const pdf = new PDFDocument({ size: 'A4', margin: MARGIN, info, lang: 'en' })
  const pieces: Uint8Array[] = []
  const ended = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject))
  pdf.on('data', (piece: Uint8Array) => pieces.push(piece))
  pdf.font(bold).fontSize(20).text(title).moveDown(0.3)
  pdf.font(regular).fontSize(10)
  for (const line of issuer) pdf.text(line)
  pdf.moveDown()
  for (const [name, value] of facts) row(pdf, name, value, WIDTH - 100)
  pdf.moveDown()
  for (const { label, reason, amount } of lines) {
    pdf.font(regular).fontSize(10).fillColor('black')
    row(pdf, label, amount, AMOUNT_WIDTH, 'right')
    pdf
      .fontSize(8)
      .fillColor('#555555')
      .text(reason, MARGIN, pdf.y, { width: WIDTH - AMOUNT_WIDTH })
      .moveDown(0.6)
  }
  pdf.moveDown(0.5).font(bold).fontSize(10).fillColor('black')
  for (const [name, amount] of sums) row(pdf, name, amount, AMOUNT_WIDTH, 'right')
  pdf.end()
  await ended
  return new Uint8Array(Buffer.concat(pieces))
}

/** Two texts side by side, both wrapped. They start on a new page when they would not fit. */
function row(
  pdf: InstanceType<PdfKit>,
  left: string,
  right: string,
  rightWidth: number,
  align: 'left' | 'right' = 'left',
): void {
  const leftWidth = WIDTH - rightWidth
  const height = Math.max(
    pdf.heightOfString(left, { width: leftWidth }),
    pdf.heightOfString(right, { width: rightWidth, align }),
  )
  if (pdf.y + height > BOTTOM) pdf.addPage()
  const top = pdf.y
  pdf.text(left, MARGIN, top, { width: leftWidth })
  pdf.text(right, MARGIN + leftWidth, top, { width: rightWidth, align })
  pdf.x = MARGIN
  pdf.y = top + height + 2
}
