/**
 * Copies of checkpoints in AUDIT_CHECKPOINT_DIR, for outsiders to keep: one folder for each chain, one file for each
 * checkpoint. A file is written under a temporary name, synced and renamed. An existing file is never written again, so
 * the folder may be append-only.
 */
import { randomBytes } from 'node:crypto'
import { access, mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'

/** File names are padded, so that they sort by size. */
const nameOf = (size: number): string => `${String(size).padStart(16, '0')}.txt`

export async function copyCheckpoint(folder: string, chain: string, size: number, note: string): Promise<void> {
  await writeOnce(join(folder, encodeURIComponent(chain)), nameOf(size), note)
}

/** A directory checkpoint and the heads that its tree consists of, one per line. */
export async function copyDirectory(
  folder: string,
  createdAtMs: number,
  note: string,
  heads: readonly { chain: string; seq: number; hash: string }[],
): Promise<void> {
  const at = join(folder, 'chains')
  await writeOnce(at, nameOf(createdAtMs), note)
  await writeOnce(
    at,
    nameOf(createdAtMs).replace('.txt', '.jsonl'),
    heads.map(({ chain, seq, hash }) => `${JSON.stringify({ chain, seq, hash })}\n`).join(''),
  )
}

async function writeOnce(folder: string, name: string, text: string): Promise<void> {
  const file = join(folder, name)
  if (await exists(file)) return
  await mkdir(folder, { recursive: true })
  const aside = `${file}.${randomBytes(4).toString('hex')}.partial`
  const handle = await open(aside, 'wx', 0o644)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(aside, file)
  const parent = await open(folder, 'r')
  try {
    await parent.sync()
  } finally {
    await parent.close()
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )
