/** What a name server may answer when it is asked for the record of a domain, and what each answer means. */
import {
  address,
  aliased,
  circularTxt,
  cutShort,
  type Lie,
  message,
  otherQuestion,
  RCODES,
  tooLongTxt,
  txt,
} from './name-server.js'

/** What an answer of the name server means for one organization. */
export type Meaning = 'there' | 'gone' | 'silent'

export interface Behaviour {
  readonly name: string
  /** For the organizations whose values it has. Everybody else gets `gone` where these get `there`. */
  readonly means: Meaning
  lie(values: readonly string[]): Lie
  overTcp?(values: readonly string[]): Lie
}

const says =
  (records: (values: readonly string[]) => readonly Buffer[], rcode = RCODES.ok) =>
  (values: readonly string[]): Lie =>
  (asked) => [message(asked, { rcode, records: records(values) })]
const right = says((values) => values.map((value) => txt(value)))
const spelt = (change: (value: string) => string) => says((values) => values.map((value) => txt(change(value))))
const failing = (rcode: number) => says(() => [], rcode)

export const BEHAVIOURS: readonly Behaviour[] = [
  { name: 'the records', means: 'there', lie: right },
  { name: 'the records once more', means: 'there', lie: right },
  {
    name: 'the records among others',
    means: 'there',
    lie: says((values) => [txt('v=spf1 -all'), address(), ...values.map((value) => txt(value))]),
  },
  { name: 'in chunks of 7 bytes', means: 'there', lie: says((values) => values.map((value) => txt(value, 7))) },
  { name: 'by an alias', means: 'there', lie: says((values) => values.flatMap(aliased)) },
  { name: 'cut short, whole over TCP', means: 'there', lie: () => (asked) => [cutShort(asked)], overTcp: right },
  {
    name: 'a lie with another id, then the records',
    means: 'there',
    lie: (values) => (asked) => [
      message(asked, { id: asked.id ^ 1, rcode: RCODES.noSuchName }),
      ...right(values)(asked),
    ],
  },
  { name: 'no such name', means: 'gone', lie: failing(RCODES.noSuchName) },
  {
    name: 'no such name, with the records',
    means: 'gone',
    lie: says((v) => v.map((each) => txt(each)), RCODES.noSuchName),
  },
  { name: 'no records', means: 'gone', lie: failing(RCODES.ok) },
  { name: 'an address alone', means: 'gone', lie: says(() => [address()]) },
  { name: 'upper case', means: 'gone', lie: spelt((value) => value.toUpperCase()) },
  { name: 'a space behind', means: 'gone', lie: spelt((value) => `${value} `) },
  { name: 'more behind', means: 'gone', lie: spelt((value) => `${value}x`) },
  { name: 'less', means: 'gone', lie: spelt((value) => value.slice(0, -1)) },
  { name: 'in quotes', means: 'gone', lie: spelt((value) => `"${value}"`) },
  { name: 'the token alone', means: 'gone', lie: spelt((value) => value.replace('plumbline-verify=', '')) },
  { name: 'all in one text', means: 'gone', lie: says((values) => [txt(`${values.join(' ')} .`)]) },
  { name: 'server failure', means: 'silent', lie: failing(RCODES.failed) },
  {
    name: 'server failure, with the records',
    means: 'silent',
    lie: says((v) => v.map((each) => txt(each)), RCODES.failed),
  },
  { name: 'refused', means: 'silent', lie: failing(RCODES.refused) },
  { name: 'not implemented', means: 'silent', lie: failing(RCODES.notImplemented) },
  { name: 'malformed question', means: 'silent', lie: failing(RCODES.malformed) },
  { name: 'silence', means: 'silent', lie: () => () => [] },
  {
    name: 'half of a message',
    means: 'silent',
    lie: (v) => (asked) => right(v)(asked).map((each) => each.subarray(0, 20)),
  },
  { name: 'another id', means: 'silent', lie: (v) => (asked) => right(v)({ ...asked, id: asked.id ^ 1 }) },
  {
    name: 'another question',
    means: 'silent',
    lie: (v) => (asked) => right(v)({ ...asked, question: otherQuestion(asked) }),
  },
  {
    name: 'a name in circles',
    means: 'silent',
    lie: (v) => (asked) => [message(asked, { records: v.map((each) => circularTxt(each, asked)) })],
  },
  { name: 'a text beyond the message', means: 'silent', lie: says((v) => v.map(tooLongTxt)) },
  { name: 'cut short, and nothing over TCP', means: 'silent', lie: () => (asked) => [cutShort(asked)] },
]
