/**
 * Checks the word list of docs/style.md: no page, help text, message or comment uses a word that makes readers stop.
 */
import { describe, expect, it, test } from 'vitest'
import { sourceFiles } from './sources.js'

/** The refused words, and what to write instead. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w-])whoever\b(?!-)/i, 'the person who, anyone who, no matter who'],
  [/\bwhosoever\b/i, 'the person who'],
  [/(?<![\w-])anew\b/i, 'again'],
  [/\b(?:hitherto|thereof|therein|betimes|hearken)\b/i, 'the modern word'],
  [
    /(?<!\b(?:there|where|then) )\b(?:is|are|was|were) no (?!longer\b|more\b|one\b|doubt\b|such\b|other\b|less\b|better\b|worse\b|fewer\b|different\b)[a-z]/i,
    'is not a',
  ],
]

/** Further words that guides and the README do not use, because their readers do not know them in this sense. */
const GUIDE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:somebody|nobody)\b/i, 'who it is: a person, a member, an administrator; or the passive'],
  [/\bbeside\b/i, 'with, next to, compared with, in addition to'],
  [/\b(?:is|are|was|were) held to\b/i, 'applies to'],
  [/\bhand(?:s|ed) down\b/i, 'inherited, passed to its teams'],
  [/\btold (?:of|by)\b/i, 'notified of, reported by'],
  [/\btells? of\b/i, 'sends, reports, notifies'],
  [/\bstands? (?:above|again|nowhere|once|twice|between)\b/i, 'is, is used, is listed'],
]
const isGuide = (path: string): boolean => path === 'README.md' || path.startsWith('docs/guide/')

/** Pages that show what not to write. */
const EXEMPT = new Set(['docs/style.md', 'scripts/test/words.test.ts'])

const refused = (text: string, words = WORDS) =>
  words.flatMap(([word, instead]) => {
    const found = word.exec(text)
    return found ? [`"${found[0]}": write ${instead}`] : []
  })

describe('the word list', () => {
  test.each(['Whoever asks', 'counted anew', 'the value is no list', 'rows that are no records'])(
    'refuses "%s"',
    (text) => expect(refused(text)).toHaveLength(1),
  )
  test.each(['cannot', 'there is no rule', 'is no longer', 'guard: the-right-of-whoever-listens'])(
    'takes "%s"',
    (text) => expect(refused(text)).toEqual([]),
  )
})

it('no guide has a word that its readers would ask about', () => {
  const guides = sourceFiles().filter(({ path }) => isGuide(path))
  expect(guides.length).toBeGreaterThan(30)
  const found = guides.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => refused(line, GUIDE_WORDS).map((word) => `${path}:${index + 1} ${word}`)),
  )
  expect(found).toEqual([])
})

it('no source or page has a word of the list', () => {
  const found = sourceFiles()
    .filter(({ path }) => !EXEMPT.has(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => refused(line).map((word) => `${path}:${index + 1} ${word}`)),
    )
  expect(found).toEqual([])
})
