import { Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { optionsOf } from '../../data/rows.js'
import { valueWords } from '../../data/words.js'
import { Button, Prose } from '../../ui/basics.js'
import { AreaField, Segments, SelectField, TextField } from '../../ui/field.js'
import { useLabel, useWords } from '../../ui/words.js'
import { type Condition, conditionsOf, type Draft, readValue, showOperand, withConditions } from './draft.js'
import { fieldsOf, OPERATORS, operatorOf, type Target } from './editor-data.js'
import { editorWords } from './words-editor.js'
import { operatorWords, takesWords } from './words-operators.js'

interface FormProps {
  draft: Draft
  onChange: (draft: Draft) => void
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

export function RuleForm({ draft, onChange }: FormProps) {
  const t = useWords(editorWords)
  const label = useLabel(valueWords)
  const set = (name: string, value: unknown) => onChange({ ...draft, [name]: value })
  const tags = Array.isArray(draft.tags) ? draft.tags.join(', ') : ''
  return (
    <div className="card form">
      <TextField
        label={t('name')}
        value={textOf(draft.name)}
        autoComplete="off"
        onChange={(event) => set('name', event.target.value)}
      />
      <div className="form-row">
        <SelectField
          label={t('target')}
          value={textOf(draft.target)}
          options={optionsOf(['pipeline', 'plugin'], label)}
          onChange={(value) => set('target', value)}
        />
        <SelectField
          label={t('severity')}
          value={textOf(draft.severity) || 'error'}
          options={optionsOf(['warning', 'error', 'critical'], label)}
          onChange={(value) => set('severity', value)}
        />
      </div>
      <Conditions draft={draft} onChange={onChange} />
      <div className="field">
        <span className="field-label">{t('mode')}</span>
        <Segments
          label={t('mode')}
          value={textOf(draft.mode) || 'enforce'}
          options={[
            ['observe', t('observe')],
            ['warn', t('warn')],
            ['enforce', t('enforce')],
          ]}
          onChange={(value) => set('mode', value)}
        />
      </div>
      <AreaField
        label={t('description')}
        hint={t('descriptionHint')}
        value={textOf(draft.description)}
        onChange={(event) => set('description', event.target.value === '' ? undefined : event.target.value)}
      />
      <TextField
        key={tags}
        label={t('tags')}
        defaultValue={tags}
        onBlur={(event) => {
          if (event.target.value === tags) return
          const next = event.target.value.split(',').map((each) => each.trim())
          set(
            'tags',
            next.filter((each) => each !== ''),
          )
        }}
      />
    </div>
  )
}

function Conditions({ draft, onChange }: FormProps) {
  const t = useWords(editorWords)
  const conditions = conditionsOf(draft)
  const target: Target = draft.target === 'plugin' ? 'plugin' : 'pipeline'
  const list = useId()
  const replace = (at: number, condition: Condition) =>
    onChange(
      withConditions(
        draft,
        conditions.map((each, index) => (index === at ? condition : each)),
      ),
    )
  return (
    <fieldset className="field">
      <legend>{t('conditions')}</legend>
      <datalist id={list}>
        {fieldsOf(target).map((field) => (
          <option key={field} value={field} />
        ))}
      </datalist>
      {conditions.length > 1 && (
        <SelectField
          label={t('together')}
          value={textOf(draft.conditionMode) || 'all'}
          options={[
            ['all', t('all')],
            ['any', t('any')],
          ]}
          onChange={(value) => onChange({ ...draft, conditionMode: value })}
        />
      )}
      {conditions.map((condition, index) => (
        <OneCondition
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no other name than its place
          key={index}
          number={index + 1}
          list={list}
          of={condition}
          onChange={(next) => replace(index, next)}
          onDrop={
            conditions.length < 2
              ? null
              : () =>
                  onChange(
                    withConditions(
                      draft,
                      conditions.filter((_, at) => at !== index),
                    ),
                  )
          }
        />
      ))}
      <div>
        <Button
          kind="quiet"
          icon={<Plus size={16} aria-hidden />}
          onClick={() => onChange(withConditions(draft, [...conditions, { field: '', operator: 'exists' }]))}
        >
          {t('add')}
        </Button>
      </div>
    </fieldset>
  )
}

interface OneProps {
  number: number
  list: string
  of: Condition
  onChange: (condition: Condition) => void
  onDrop: (() => void) | null
}

function OneCondition({ number, list, of, onChange, onDrop }: OneProps) {
  const t = useWords(editorWords)
  const docOf = useLabel(operatorWords)
  const takesOf = useLabel(takesWords)
  const operator = operatorOf(of.operator)
  const takesValue = operator?.takesValue !== false
  const choose = (name: string) => {
    const { value: _, ...rest } = of
    onChange(operatorOf(name)?.takesValue === false ? { ...rest, operator: name } : { ...of, operator: name })
  }
  // What was typed stays as it was typed, as long as it is what the draft has.
  const [typed, setTyped] = useState('')
  const isTyped = JSON.stringify(readValue(typed, of.operator)) === JSON.stringify(of.value)
  const write = (text: string) => {
    setTyped(text)
    const { value: _, ...rest } = of
    const value = readValue(text, of.operator)
    onChange(value === undefined ? rest : { ...rest, value })
  }
  return (
    <div className="stack-small">
      <div className="form-row">
        <TextField
          label={t('field')}
          list={list}
          spellCheck={false}
          autoComplete="off"
          value={textOf(of.field)}
          onChange={(event) => onChange({ ...of, field: event.target.value })}
        />
        <SelectField
          label={t('operator')}
          value={textOf(of.operator)}
          options={OPERATORS.map(({ name }) => [name, name] as const)}
          onChange={choose}
        />
        {takesValue && (
          <TextField
            label={t('value')}
            hint={operator === undefined ? undefined : t('valueHint', { takes: takesOf(operator.takes) })}
            spellCheck={false}
            autoComplete="off"
            value={isTyped ? typed : showOperand(of.value, of.operator)}
            onChange={(event) => write(event.target.value)}
          />
        )}
      </div>
      <div className="row-between">
        <span className="field-hint">{operator !== undefined && <Prose text={docOf(operator.name)} />}</span>
        {onDrop !== null && (
          <Button
            kind="quiet"
            aria-label={t('drop', { number })}
            icon={<Trash2 size={16} aria-hidden />}
            onClick={onDrop}
          />
        )}
      </div>
    </div>
  )
}
