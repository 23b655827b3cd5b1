/** Shows an error of the API: the words of our table, the message of the server, and what to do. */
import { ApiError } from '@plumbline/client'
import { useEffect, useState } from 'react'
import { Problem } from '../ui/states.js'
import { say, useLanguage, useWords } from '../ui/words.js'
import { ERRORS, type ErrorCode, nextWords, noAnswer, unknownError } from './errors.js'

interface RefusedProps {
  error: Error | null
  onRetry?: () => void
}

export function Refused({ error, onRetry }: RefusedProps) {
  const to = useLanguage()
  const t = useWords(nextWords)
  const wait = error instanceof ApiError ? error.retryAfterSeconds : null
  const left = useCountdown(wait)
  if (error === null) return null
  if (!(error instanceof ApiError))
    return <Problem title={say(noAnswer.says, to)} next={t(noAnswer.next)} onRetry={onRetry} />
  const { says, next } = ERRORS[error.code as ErrorCode] ?? unknownError
  return (
    <Problem
      title={say(says, to)}
      {...detailOf(error)}
      next={left !== null && left > 0 ? t('waitSeconds', { seconds: left }) : t(next)}
      requestId={error.requestId}
      onRetry={left !== null && left > 0 ? undefined : onRetry}
    />
  )
}

interface Issue {
  /** The file, line and column if the server gives them; otherwise the place in the request. */
  readonly place: string
  readonly message: string
  readonly path: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

type Said = Partial<Pick<Issue, 'path' | 'message' | 'file' | 'line' | 'column'>>

export function issuesOf(error: Error | null): readonly Issue[] {
  const said = error instanceof ApiError ? error.details.issues : undefined
  return Array.isArray(said) ? (said as Said[]).map(issueFrom) : []
}

function issueFrom({ path = '', message = '', file, line, column }: Said): Issue {
  if (file === undefined || line === undefined)
    return { path, place: path.replace(/^\/body\//, ''), message, ...(file === undefined ? {} : { file }) }
  // The message repeats the place, for programs that show the message alone.
  const rest = message.replace(/^line \d+, column \d+: /, '')
  const at = column === undefined ? {} : { column }
  return { path, place: [file, line, column].filter(Boolean).join(':'), message: rest, file, line, ...at }
}

/** One issue is a sentence, and several are a list. */
function detailOf(error: ApiError): { detail?: string; details?: readonly string[] } {
  const lines = issuesOf(error).map(({ place, message }) => `\`${place}\` ${message}`)
  return lines.length > 1 ? { details: lines } : { detail: lines[0] ?? error.message }
}

/** The server's message about one field of a form, such as `name`. */
export const issueOf = (error: Error | null, field: string): string | null =>
  issuesOf(error).find(({ path }) => path === `/body/${field}` || path === `/${field}`)?.message ?? null

/** Seconds left until a retry, as the server asked. */
function useCountdown(seconds: number | null): number | null {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    setLeft(seconds)
    if (seconds === null) return
    const timer = setInterval(() => setLeft((now) => (now === null || now <= 0 ? now : now - 1)), 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}
