/** Small components: button, badge, time, text with inline code, facts. */
import { Check, Copy } from 'lucide-react'
import { type ComponentProps, Fragment, type ReactNode, useEffect, useState } from 'react'
import { useFormat } from './format.js'
import { useWords } from './words.js'
import { uiWords } from './words-ui.js'

export type Tone = 'plain' | 'critical' | 'error' | 'warning' | 'pass' | 'exempt' | 'accent'

type ButtonProps = ComponentProps<'button'> & { kind?: 'main' | 'danger' | 'quiet'; icon?: ReactNode; busy?: boolean }

/** While a button waits for an answer, it keeps its place and its focus, and ignores clicks. */
export function Button({ kind, icon, busy = false, children, onClick, disabled, ...rest }: ButtonProps) {
  const isOff = busy || disabled === true
  return (
    <button
      type="button"
      {...rest}
      className={`button ${rest.className ?? ''}`}
      data-kind={kind}
      data-icon={children === undefined}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {icon}
      {children}
    </button>
  )
}

interface BadgeProps {
  tone?: Tone
  icon?: ReactNode
  title?: string
  children: ReactNode
}

export function Badge({ tone = 'plain', icon, title, children }: BadgeProps) {
  return (
    <span className={`badge tone-${tone}`} title={title}>
      {icon}
      {children}
    </span>
  )
}

/** An instant in the reader's time zone, with UTC next to it. `relative` is for recent events. */
export function When({ at, relative = false }: { at: string | null; relative?: boolean }) {
  const format = useFormat()
  const t = useWords(uiWords)
  if (at === null) return <span className="muted">{t('never')}</span>
  const utc = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return (
    <time className="nowrap" dateTime={at} title={relative ? `${format.dateTime(at)} · ${utc}` : utc}>
      {relative ? format.relative(at) : format.dateTime(at)}
    </time>
  )
}

/** Text from the server. Text between backticks is shown as code. */
export function Prose({ text }: { text: string }) {
  const parts = text.split('`')
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 && index < parts.length - 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
          <code key={index}>{part}</code>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
          <Fragment key={index}>{index % 2 === 1 ? `\`${part}` : part}</Fragment>
        ),
      )}
    </>
  )
}

export type FactEntry = readonly [name: string, value: ReactNode]

export function Facts({ of }: { of: readonly (FactEntry | null)[] }) {
  return (
    <dl className="facts">
      {of
        .filter((each) => each !== null)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  )
}

export function CopyBox({ text, label }: { text: string; label: string }) {
  const t = useWords(uiWords)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <fieldset className="copy field" aria-label={label}>
      <code>{text}</code>
      <Button
        icon={isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      >
        <span aria-live="polite">{isCopied ? t('copied') : t('copy')}</span>
      </Button>
    </fieldset>
  )
}

/** A value of a record as JSON, such as what a rule expects and what it found. */
export const showValue = (value: unknown): string => (value === undefined ? '–' : JSON.stringify(value))

export function Code({ value }: { value: unknown }) {
  return (
    <pre tabIndex={0}>
      <code>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</code>
    </pre>
  )
}

export function Tags({ of }: { of: readonly string[] }) {
  if (of.length === 0) return <span className="muted">–</span>
  return (
    <span className="row">
      {of.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </span>
  )
}
