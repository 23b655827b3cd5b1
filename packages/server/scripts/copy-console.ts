/** Puts the build of the console into the server's, each file with its compressed forms: nothing is compressed while it is served. */
import { existsSync } from 'node:fs'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** What compresses well; images and fonts are compressed already. */
const TEXTS: ReadonlySet<string> = new Set(['.html', '.js', '.css', '.json', '.svg', '.txt', '.webmanifest', '.wasm'])
/** Below this, compression saves less than its header costs. */
const BYTES_MIN = 1024

/** Does nothing where the console is not built: the server says so at its address. */
export async function copyConsole(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  if (!existsSync(join(from, 'index.html'))) return
  await cp(from, to, { recursive: true, filter: (path) => !path.endsWith('.plumbline-stamp') })
  const entries = await readdir(to, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && TEXTS.has(extname(entry.name)))
  await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name))))
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < BYTES_MIN) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}
