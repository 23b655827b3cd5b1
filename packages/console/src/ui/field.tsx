/** Form fields: a label, the control, a hint and an error. Assistive software reads all of them with the control. */
import { Search } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Prose } from './basics.js'
import { useWords } from './words.js'
import { uiWords } from './words-ui.js'

interface FieldWords {
  label: string
  hint?: ReactNode
  error?: string | null | undefined
}

interface Marks {
  id: string
  'aria-invalid': boolean | undefined
  'aria-describedby': string | undefined
}

function Labelled({ label, hint, error, children }: FieldWords & { children: (marks: Marks) => ReactNode }) {
  const id = useId()
  const notes = [hint !== undefined && `${id}-hint`, error != null && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': error != null || undefined,
        'aria-describedby': notes === '' ? undefined : notes,
      })}
      {hint !== undefined && (
        <span className="field-hint" id={`${id}-hint`}>
          {typeof hint === 'string' ? <Prose text={hint} /> : hint}
        </span>
      )}
      {error != null && (
        <span className="field-error" id={`${id}-error`}>
          <Prose text={error} />
        </span>
      )}
    </div>
  )
}

export function TextField({ label, hint, error, ...rest }: FieldWords & ComponentProps<'input'>) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(marks) => <input className="input" {...rest} {...marks} />}
    </Labelled>
  )
}

export function AreaField({ label, hint, error, ...rest }: FieldWords & ComponentProps<'textarea'>) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(marks) => <textarea className="input" {...rest} {...marks} />}
    </Labelled>
  )
}

export type Option = readonly [value: string, label: string]

interface SelectProps extends FieldWords {
  value: string
  options: readonly Option[]
  onChange: (value: string) => void
  disabled?: boolean
}

export function SelectField({ label, hint, error, value, options, onChange, disabled }: SelectProps) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(marks) => (
        <select
          className="input"
          value={value}
          disabled={disabled}
          onChange={(e) => onChange(e.target.value)}
          {...marks}
        >
          {options.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}

interface PickProps extends Omit<SelectProps, 'hint'> {
  hint?: string | undefined
  /** The text for no choice. */
  none: string
  /** How many matches the options leave out. */
  left: number
  search: string
  onSearch: (text: string) => void
}

/** A choice among more records than a list shows: text finds the others. The chosen one stays while the list changes. */
export function PickField({ label, hint, none, left, search, onSearch, options, value, onChange, ...rest }: PickProps) {
  const t = useWords(uiWords)
  const chosen = useRef<Option>([value, value])
  const found = options.find(([key]) => key === value)
  if (found !== undefined || chosen.current[0] !== value) chosen.current = found ?? [value, value]
  const others = value === '' || found !== undefined ? options : [chosen.current, ...options]
  const leaves = left > 0 ? t('leftOut', { count: left }) : undefined
  return (
    <>
      {(left > 0 || search !== '') && (
        <SearchField label={t('searchFor', { what: label })} value={search} onChange={onSearch} />
      )}
      <SelectField
        {...rest}
        label={label}
        hint={[leaves, hint].filter((each) => each !== undefined).join(' ') || undefined}
        value={value}
        options={[['', none], ...others]}
        onChange={onChange}
      />
    </>
  )
}

interface CheckProps {
  label: ReactNode
  hint?: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

export function CheckField({ label, hint, checked, disabled, onChange }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} disabled={disabled} onChange={(e) => onChange(e.target.checked)} />
      <span>
        {label}
        {hint !== undefined && <span className="field-hint"> {hint}</span>}
      </span>
    </label>
  )
}

interface SegmentsProps {
  label: string
  value: string
  options: readonly Option[]
  onChange: (value: string) => void
}

/** A choice between a few options, all of them visible. */
export function Segments({ label, value, options, onChange }: SegmentsProps) {
  const name = useId()
  return (
    <fieldset className="segments" aria-label={label}>
      {options.map(([key, text]) => (
        <label key={key}>
          <input type="radio" name={name} value={key} checked={key === value} onChange={() => onChange(key)} />
          {text}
        </label>
      ))}
    </fieldset>
  )
}

export interface Filter {
  name: string
  label: string
  value: string
  options: readonly Option[]
  /** The text for no choice; "all" by default. */
  all?: string
}

interface FilterBarProps {
  text?: { label: string; value: string; onChange: (value: string) => void }
  filters?: readonly Filter[]
  onChange?: (name: string, value: string) => void
  children?: ReactNode
}

/** Filters above a list. An empty value means all. Text takes effect when typing pauses. */
export function FilterBar({ text, filters = [], onChange, children }: FilterBarProps) {
  const t = useWords(uiWords)
  return (
    <search className="filter-bar" aria-label={t('filters')}>
      {text !== undefined && <SearchField {...text} />}
      {filters.map(({ name, label, value, options, all }) => (
        <SelectField
          key={name}
          label={label}
          value={value}
          options={[['', all ?? t('all')], ...options]}
          onChange={(next) => onChange?.(name, next)}
        />
      ))}
      {children}
    </search>
  )
}

const REST_MS = 300

function SearchField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const id = useId()
  const [draft, setDraft] = useState(value)
  const reported = useRef([value])
  useEffect(() => {
    // A value that this field reported itself comes back late: the person may have typed on, or typed a space.
    const at = reported.current.indexOf(value)
    reported.current = at === -1 ? [value] : reported.current.slice(at)
    if (at === -1) setDraft(value)
  }, [value])
  useEffect(() => {
    const text = draft.trim()
    if (text === reported.current.at(-1)) return
    const timer = setTimeout(() => {
      reported.current.push(text)
      onChange(text)
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [draft, onChange])
  return (
    <div className="field filter-text">
      <label htmlFor={id}>{label}</label>
      <div className="input-icon">
        <Search size={16} aria-hidden />
        <input className="input" id={id} type="search" value={draft} onChange={(e) => setDraft(e.target.value)} />
      </div>
    </div>
  )
}
