/**
 * Small pictures of png, jpeg and webp uploads, made by libvips on threads of its own. What is made holds the pixels and
 * nothing else: no EXIF, no profile, no comment. A picture that cannot be read, is too large, or a machine for which there is no
 * build of the library: then there is no thumbnail, and the upload goes on.
 */
import { readFile } from 'node:fs/promises'

const PIXELS_MAX = 40_000_000
const MADE_OF = new Set(['image/png', 'image/jpeg', 'image/webp'])
const SECONDS_MAX = 10

export interface Thumbnail {
  readonly content: Buffer
  readonly contentType: string
}

/** One after the other: a picture of 40 million pixels takes 160 MB while it is read. */
let turn: Promise<unknown> = Promise.resolve()

/** @param side the longest, in pixels. */
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
      // As the camera held it: what says so is not kept.
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toBuffer({ resolveWithObject: true })
    return { content: data, contentType: `image/${info.format}` }
  } catch {
    return null
  }
}
