/** Tests of the rule that is being edited: attributes and the expected result, judged while the author types. */
import type { ImpactEntity } from '@plumbline/engine'
import { Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { saveFile } from '../../data/download.js'
import { useEngineText } from '../../data/engine-text.js'
import type { CaseResult } from '../../judge/messages.js'
import { Badge, Button, Prose } from '../../ui/basics.js'
import { AreaField, type Option, PickField, Segments, TextField } from '../../ui/field.js'
import { Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import {
  canExport,
  caseOf,
  failingOf,
  type Results,
  type RuleCase,
  readCase,
  readTestFile,
  writeTestFile,
} from './cases.js'
import type { Draft } from './draft.js'
import { editorWords } from './words-editor.js'

const RECORDS_SHOWN_MAX = 100

interface TestsProps {
  draft: Draft
  ruleId: string | null
  cases: readonly RuleCase[]
  results: Results
  inventory: readonly ImpactEntity[] | null
  onChange: (cases: readonly RuleCase[]) => void
}

export function TestsPanel({ draft, ruleId, cases, results, inventory, onChange }: TestsProps) {
  const t = useWords(editorWords)
  const failing = failingOf(cases, results)
  const replace = (at: number, next: RuleCase) => onChange(cases.map((each, index) => (index === at ? next : each)))
  return (
    <section className="card stack" aria-label={t('tests')}>
      <h2>{t('tests')}</h2>
      <p className="muted">{cases.length === 0 ? t('testsNone') : t('testsState', { failing, count: cases.length })}</p>
      {cases.map((each, at) => (
        <OneCase
          // biome-ignore lint/suspicious/noArrayIndexKey: a test has no other identity while its name is typed
          key={at}
          of={each}
          number={at + 1}
          result={results[at] ?? null}
          onChange={(next) => replace(at, next)}
          onDrop={() => onChange(cases.filter((_, index) => index !== at))}
        />
      ))}
      <div className="row">
        <Button
          icon={<Plus size={16} aria-hidden />}
          onClick={() => onChange([...cases, caseOf(t('testName', { number: cases.length + 1 }), {}, 'pass')])}
        >
          {t('addTest')}
        </Button>
        <Button
          disabled={!canExport(draft, cases)}
          onClick={() =>
            saveFile(new Blob([writeTestFile(draft, cases)], { type: 'application/yaml' }), fileNameOf(draft))
          }
        >
          {t('exportTests')}
        </Button>
        <Import draft={draft} ruleId={ruleId} onRead={(read) => onChange([...cases, ...read])} />
      </div>
      {inventory !== null && inventory.length > 0 && (
        <FromRecord of={inventory} onChoose={(chosen) => onChange([...cases, chosen])} />
      )}
    </section>
  )
}

const fileNameOf = ({ name }: Draft): string =>
  `${
    String(name)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'rule'
  }.plumbline-test.yaml`

const ACTUAL = { pass: 'passes', fail: 'fails', waiting: 'waits' } as const

interface OneCaseProps {
  of: RuleCase
  number: number
  result: CaseResult | null
  onChange: (next: RuleCase) => void
  onDrop: () => void
}

function OneCase({ of, number, result, onChange, onDrop }: OneCaseProps) {
  const t = useWords(editorWords)
  const inWords = useEngineText()
  const isReadable = readCase(of) !== null
  return (
    <fieldset className="field stack-small">
      <legend>{t('test', { number })}</legend>
      <TextField
        label={t('name')}
        value={of.name}
        autoComplete="off"
        onChange={(event) => onChange({ ...of, name: event.target.value })}
      />
      <Segments
        label={t('expected')}
        value={of.expected}
        options={[
          ['pass', t('passes')],
          ['fail', t('fails')],
        ]}
        onChange={(expected) => onChange({ ...of, expected: expected as 'pass' })}
      />
      <AreaField
        label={t('attributes')}
        className="input mono"
        rows={4}
        spellCheck={false}
        value={of.text}
        error={isReadable ? null : t('attributesWrong')}
        onChange={(event) => onChange({ ...of, text: event.target.value })}
      />
      <div className="row">
        {result !== null && (
          <Badge tone={result.actual === of.expected ? 'pass' : 'critical'}>
            {result.actual === of.expected
              ? t('asExpected')
              : t('otherThanExpected', { actual: t(ACTUAL[result.actual]) })}
          </Badge>
        )}
        <Button
          kind="quiet"
          aria-label={t('dropTest', { number })}
          icon={<Trash2 size={16} aria-hidden />}
          onClick={onDrop}
        />
      </div>
      {result?.messages.map((message) => (
        <p key={message} className="small muted anywhere">
          <Prose text={inWords(message)} />
        </p>
      ))}
    </fieldset>
  )
}

interface FromRecordProps {
  of: readonly ImpactEntity[]
  onChoose: (chosen: RuleCase) => void
}

/** A stored record as a test: its attributes as rules read them. */
function FromRecord({ of, onChoose }: FromRecordProps) {
  const t = useWords(editorWords)
  const [search, setSearch] = useState('')
  const wanted = search.toLowerCase()
  const found = of.filter(({ id, name }) => (name ?? id).toLowerCase().includes(wanted))
  const options = found.slice(0, RECORDS_SHOWN_MAX).map(({ id, name }): Option => [id, name ?? id])
  return (
    <PickField
      label={t('fromRecord')}
      none={t('chooseRecord')}
      value=""
      options={options}
      left={Math.max(0, found.length - options.length)}
      search={search}
      onSearch={setSearch}
      onChange={(id) => {
        const record = of.find((each) => each.id === id)
        if (record !== undefined) onChoose(caseOf(record.name ?? record.id, record.attributes, 'pass'))
      }}
    />
  )
}

interface ImportProps {
  draft: Draft
  ruleId: string | null
  onRead: (cases: readonly RuleCase[]) => void
}

function Import({ draft, ruleId, onRead }: ImportProps) {
  const t = useWords(editorWords)
  const chooser = useRef<HTMLInputElement>(null)
  const [said, setSaid] = useState<string | null>(null)
  const read = async (file: File | undefined) => {
    if (file === undefined) return
    const answer = readTestFile(await file.text(), draft, ruleId)
    if ('problem' in answer) setSaid(t('notText', { problem: answer.problem }))
    else {
      setSaid(t('imported', { count: answer.cases.length, left: answer.left }))
      onRead(answer.cases)
    }
  }
  return (
    <>
      <input
        ref={chooser}
        type="file"
        hidden
        accept=".yaml,.yml,.json"
        aria-label={t('importTests')}
        onChange={({ target }) => {
          void read(target.files?.[0])
          target.value = ''
        }}
      />
      <Button onClick={() => chooser.current?.click()}>{t('importTests')}</Button>
      {said !== null && <Message live>{said}</Message>}
    </>
  )
}
