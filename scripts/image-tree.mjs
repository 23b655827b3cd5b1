/**
 * `node scripts/image-tree.mjs FOLDER`, after a build: writes exactly the files of the container image. They are the
 * packed files of the server, the command line and the packages that the server needs, with dependencies as in the lock
 * file.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from './workspace.mjs'

/** The command line is bundled, so it needs none of the other packages. */
const PACKAGES = ['engine', 'audit-chain', 'billing-core', 'rules', 'server', 'cli']

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('name the folder to fill: node scripts/image-tree.mjs FOLDER')
  process.exit(2)
}
const out = resolve(folder)
const run = (command, args, cwd) => execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
const quiet = ['--no-audit', '--no-fund', '--loglevel=error']

// npm compares the manifests of all workspaces with the lock file.
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const workspaces = Object.keys(lock.packages).filter((path) => path !== '' && !path.includes('node_modules'))
// Development dependencies are removed. `scripts` needs some of them at run time too, so `--omit=dev` alone would keep
// them.
for (const path of ['', ...workspaces]) {
  const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
  delete lock.packages[path].devDependencies
  mkdirSync(join(out, path), { recursive: true })
  writeFileSync(join(out, path, 'package.json'), JSON.stringify(manifest))
}
writeFileSync(join(out, 'package-lock.json'), JSON.stringify(lock))
const wanted = PACKAGES.flatMap((name) => ['-w', `@plumbline/${name}`])
run('npm', ['ci', '--omit=dev', '--omit=peer', '--ignore-scripts', '--prefer-offline', ...quiet, ...wanted], out)

const packed = mkdtempSync(join(tmpdir(), 'plumbline-image-'))
try {
  run('npm', ['pack', ...wanted, '--ignore-scripts', '--pack-destination', packed, ...quiet], root)
  for (const name of PACKAGES) {
    const file = readdirSync(packed).find((each) => each.startsWith(`plumbline-${name}-`)) ?? ''
    run('tar', ['-xzf', join(packed, file), '-C', join(out, 'packages', name), '--strip-components=1'], packed)
  }
} finally {
  rmSync(packed, { recursive: true, force: true })
}

// Removes packages that only other workspaces or an older Node need: their manifests, and the links to them.
const kept = new Set(PACKAGES.map((name) => `packages/${name}`))
for (const path of workspaces.filter((each) => !kept.has(each)))
  rmSync(join(out, path), { recursive: true, force: true })
for (const path of ['bench', 'examples', 'package.json', 'package-lock.json']) {
  rmSync(join(out, path), { recursive: true, force: true })
}
for (const path of Object.keys(lock.packages).filter((each) => lock.packages[each].link === true)) {
  if (!existsSync(join(out, path))) rmSync(join(out, path), { force: true })
}
// Removes peer dependencies for the tests of other workspaces, and the sources of native modules that are already
// built.
for (const path of ['@types', '@electric-sql', 'fast-check', 'better-sqlite3/deps', 'better-sqlite3/src']) {
  rmSync(join(out, 'node_modules', path), { recursive: true, force: true })
}
// Removes files that only editors and debuggers read, and files for browsers or for building the package.
const fonts = /\/dejavu-fonts-ttf\/ttf\/(?!DejaVuSans(-Bold)?\.ttf$)/
const unread = /\.map$|\.d\.[cm]?ts$|\/pdfkit\/(\.yarn\/|js\/pdfkit\.(standalone|browser))/
for (const entry of readdirSync(join(out, 'node_modules'), { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name)
  if (entry.isFile() && (unread.test(path) || fonts.test(path))) rmSync(path)
}
