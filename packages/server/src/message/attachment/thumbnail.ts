/**
 * Thumbnails of png, jpeg and webp uploads, made by libvips on its own threads. A thumbnail contains only pixels: no
 * EXIF, no profile, no comment. There is no thumbnail for a picture that is unreadable or too large, or on a machine
 * without a build of the library; the upload continues.
 */
import { readFile } from 'node:fs/promises'

const PIXELS_MAX = 40_000_000
const MADE_OF = new Set(['image/png', 'image/jpeg', 'image/webp'])
const SECONDS_MAX = 10

export interface Thumbnail {
  readonly content: Buffer
  readonly contentType: string
}

/** One at a time: reading a picture of 40 million pixels takes 160 MB. */
let turn: Promise<unknown> = Promise.resolve()

/** @param side length of the longer side, in pixels. */
export function makeThumbnail(path: string, contentType: string, side: number): Promise<Thumbnail | null> {
  if (!MADE_OF.has(contentType)) return Promise.resolve(null)
  const made = turn.then(() => make(path, side))
  turn = made
  return made
}

async function make(path: string, side: number): Promise<Thumbnail | null> {
  try {
    const { default: sharp } = await import('sharp')
    const input = await readFile(path)
    const { data, info } = await sharp(input, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1 })
      .timeout({ seconds: SECONDS_MAX })
      // Rotates as the camera recorded it, because the thumbnail does not keep that metadata.
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toBuffer({ resolveWithObject: true })
    return { content: data, contentType: `image/${info.format}` }
  } catch {
    return null
  }
}
