/** The decision records of `docs/decisions`: reads the head of each, and generates the index by topic. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const decisionsFolder = fileURLToPath(new URL('../docs/decisions', import.meta.url))

/** The topics of the index, in its order. */
export const TOPICS = [
  'Engine',
  'Rules and exemptions',
  'Compliance service',
  'Audit log',
  'Billing',
  'Accounts and sign-in',
  'Quotas',
  'Pipelines and plugins',
  'Messages and notifications',
  'Reports',
  'HTTP and event streams',
  'Store and lists',
  'Jobs and processes',
  'Command line and CI gate',
  'Console',
  'Code and documentation',
] as const

export interface Decision {
  readonly file: string
  readonly number: number
  readonly title: string
  readonly date: string
  readonly status: string
  readonly topic: string
}

const HEAD = /^# (\d+)\. (.+)\n\n- Date: (\d{4}-\d\d-\d\d)\n- Status: (.+)\n- Topic: (.+)\n\n/

/** @throws Error for a record without a title, date, status and topic. */
export function readDecision(file: string): Decision {
  const found = HEAD.exec(readFileSync(join(decisionsFolder, file), 'utf8'))
  if (!found) throw new Error(`${file} does not begin with "# <number>. <title>", Date, Status and Topic`)
  const [, number = '', title = '', date = '', status = '', topic = ''] = found
  return { file, number: Number(number), title, date, status, topic }
}

export function decisionFiles(): string[] {
  return readdirSync(decisionsFolder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
}

/** The page `docs/decisions/README.md`. */
export function decisionIndex(decisions: readonly Decision[]): string {
  const topics = TOPICS.map((topic) => ({ topic, found: decisions.filter((each) => each.topic === topic) }))
  return `# Decisions

Each record says what was decided, which alternatives were rejected and why, and which test or measurement shows that the
decision still holds. A record is never rewritten into another decision: a later record supersedes it, and the status of
both says so.

A new record takes the next free number and begins with a title that names its subject, \`Date\`, \`Status\` and \`Topic\`.
\`npm run generate\` writes this index from those lines.
${topics
  .filter(({ found }) => found.length > 0)
  .map(
    ({ topic, found }) =>
      `\n## ${topic}\n\n| | Decision | Date | Status |\n|--:|---|---|---|\n${found.map(row).join('\n')}\n`,
  )
  .join('')}`
}

const row = ({ number, title, file, date, status }: Decision) =>
  `| ${number} | [${title}](${file}) | ${date} | ${status} |`
