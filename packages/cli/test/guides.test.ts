/**
 * Runs the guides as a reader would: YAML blocks that start with a comment naming a file are written to a folder, and
 * shell blocks are run there line by line. A line `# exit 1` gives the exit code of the command before it; the default
 * is 0. The folder is a git repository with all of that on `main`. What follows `plumbline init` on a page starts again in
 * an empty one, for the reader who did not run it.
 */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from './support/memory-io.js'

const guides = ['getting-started.md', 'rule-language.md', 'testing-rules.md']
const guideFolder = fileURLToPath(new URL('../../../docs/guide/', import.meta.url))

let folder = ''
const git = (...argv: string[]) =>
  execFileSync('git', ['-c', 'user.name=reader', '-c', 'user.email=reader@example.com', ...argv], { cwd: folder })
const begin = async () => {
  folder = await mkdtemp(join(tmpdir(), 'guide-'))
  git('init', '--quiet', '--initial-branch=main')
}
beforeEach(begin)
afterEach(() => rm(folder, { recursive: true, force: true }))

interface Block {
  readonly language: string
  readonly body: string
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', body = '']) => ({
    language,
    body,
  }))
}

describe.each(guides)('%s', (guide) => {
  it('does what it says', async () => {
    const blocks = blocksOf(await readFile(join(guideFolder, guide), 'utf8'))
    let commands = 0
    let files = 0
    for (const { language, body } of blocks) {
      const path = language === 'yaml' ? /^# (\S+\.yaml)\n/.exec(body)?.[1] : undefined
      if (path !== undefined) {
        await mkdir(dirname(join(folder, path)), { recursive: true })
        await writeFile(join(folder, path), body)
        files++
      }
      if (language !== 'sh') continue
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '--message', 'a step of the page')
      const lines = body.split('\n')
      for (const [index, line] of lines.entries()) {
        const argv = /^plumbline ([^#>]+)/.exec(line)?.[1]?.trim().split(/\s+/)
        if (!argv) continue
        const expected = Number(/^# exit (\d+)/.exec(lines[index + 1] ?? '')?.[1] ?? 0)
        const { code, stdout, stderr } = await runCli(argv, { cwd: folder })
        expect(code, `${line}\n${stdout}\n${stderr}`).toBe(expected)
        commands++
      }
      if (body.includes('plumbline init')) {
        await rm(folder, { recursive: true, force: true })
        await begin()
      }
    }
    if (guide === 'rule-language.md') {
      const { code, stdout, stderr } = await runCli(['lint', '--rules', 'rules'], { cwd: folder })
      expect(code, `${stdout}\n${stderr}`).toBe(0)
      expect(files).toBeGreaterThan(3)
    } else {
      expect(commands).toBeGreaterThan(2)
    }
  })
})
