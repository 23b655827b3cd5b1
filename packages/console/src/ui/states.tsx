/** What a screen shows if it has no rows: loading, empty, or an error. */
import { CircleAlert, CircleCheck, Inbox, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, Prose, type Tone } from './basics.js'
import { useWords } from './words.js'
import { uiWords } from './words-ui.js'

const ICONS = {
  plain: Info,
  accent: Info,
  exempt: Info,
  pass: CircleCheck,
  warning: TriangleAlert,
  error: CircleAlert,
  critical: CircleAlert,
} as const

interface MessageProps {
  tone?: Tone
  title?: ReactNode
  children?: ReactNode
  actions?: ReactNode
  live?: boolean
}

export function Message({ tone = 'plain', title, children, actions, live = false }: MessageProps) {
  const Icon = ICONS[tone]
  return (
    <div
      className={`message ${tone === 'plain' ? 'message-tone-plain' : `tone-${tone}`}`}
      role={live ? 'alert' : undefined}
    >
      <Icon size={16} aria-hidden />
      <div className="stack-small">
        {title !== undefined && <strong>{title}</strong>}
        {children !== undefined && <div className="message-text">{children}</div>}
        {actions !== undefined && <div className="row">{actions}</div>}
      </div>
    </div>
  )
}

interface ProblemProps {
  title: string
  detail?: string | undefined
  /** Several details, one in each line. */
  details?: readonly string[] | undefined
  next: string
  requestId?: string | null
  onRetry?: (() => void) | undefined
  actions?: ReactNode
}

/** What happened, what to do, a retry, and the request id that finds the error in the server's log. */
export function Problem({ title, detail, details, next, requestId = null, onRetry, actions }: ProblemProps) {
  const t = useWords(uiWords)
  const buttons = (
    <>
      {onRetry !== undefined && <Button onClick={onRetry}>{t('retry')}</Button>}
      {actions}
    </>
  )
  return (
    <Message tone="critical" title={title} live actions={buttons}>
      {detail !== undefined && (
        <p>
          <Prose text={detail} />
        </p>
      )}
      {details !== undefined && <Lines of={details} />}
      <p>{next}</p>
      {requestId !== null && <p className="small mono">{t('requestId', { id: requestId })}</p>}
    </Message>
  )
}

/** Sentences of the server as a list. Equal ones are shown once. */
export function Lines({ of }: { of: readonly string[] }) {
  return (
    <ul>
      {[...new Set(of)].map((each) => (
        <li key={each} className="anywhere">
          <Prose text={each} />
        </li>
      ))}
    </ul>
  )
}

export function Empty({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="empty">
      <Inbox size={28} aria-hidden />
      <strong>{title}</strong>
      {children !== undefined && <p>{typeof children === 'string' ? <Prose text={children} /> : children}</p>}
      {actions !== undefined && <div className="row">{actions}</div>}
    </div>
  )
}

export function Skeleton({ lines = 6 }: { lines?: number }) {
  const t = useWords(uiWords)
  return (
    <div className="skeleton" role="status" aria-label={t('loading')}>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are alike
        <span key={index} />
      ))}
    </div>
  )
}
