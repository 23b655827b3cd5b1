/** The notices for the packages in a bundle: name, version, licence and its text. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Metafile {
  readonly inputs: Readonly<Record<string, unknown>>
}

const PACKAGE = /^(.*?node_modules\/(?:@[^/]+\/)?[^/]+)\//

/** Folders of the bundled packages, as named in the metafile. */
export function bundledFolders({ inputs }: Metafile): string[] {
  const folders = Object.keys(inputs).flatMap((path) => PACKAGE.exec(path)?.[1] ?? [])
  return [...new Set(folders)].sort()
}

/** @throws Error for a package without a licence, because it must not be bundled. */
export function noticesOf(metafile: Metafile): string {
  const packages = bundledFolders(metafile)
    .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const parts = packages.map(({ folder, name, version, license }) => {
    if (typeof license !== 'string') throw new Error(`${name} names no licence`)
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
    const path = file === undefined ? null : join(folder, file)
    const text = path !== null && existsSync(path) ? `\n\n${readFileSync(path, 'utf8').trim()}` : ''
    return `${name} ${version} (${license})${text}\n`
  })
  return `This package contains the following packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`
}
