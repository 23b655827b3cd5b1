/** The frame of a screen (title, the question that it answers, actions), and the states of what it reads. */

import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Skeleton } from '../ui/states.js'
import { isGone, useFailedAside } from './api.js'
import { Refused } from './refused.js'

interface PageProps {
  title: string
  question?: ReactNode
  crumbs?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function Page({ title, question, crumbs, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Plumbline`
  }, [title])
  const failed = useFailedAside()
  return (
    <>
      <header className="page-head">
        <div>
          {crumbs !== undefined && <div className="crumbs muted">{crumbs}</div>}
          <h1 tabIndex={-1} id="page-title">
            {title}
          </h1>
          {question !== undefined && <p>{question}</p>}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      {failed !== undefined && <Refused error={failed.state.error} onRetry={() => void failed.fetch()} />}
      {children}
    </>
  )
}

interface LoadedProps<D> {
  of: UseQueryResult<D, Error>
  children: (data: D) => ReactNode
  lines?: number
}

/** Shows the data, or the error if there is none. If a refresh fails, the old data stays visible below the error. */
export function Loaded<D>({ of, children, lines = 6 }: LoadedProps<D>) {
  const { data, error, refetch } = of
  const problem =
    error === null ? null : <Refused error={error} onRetry={isGone(error) ? undefined : () => void refetch()} />
  if (data === undefined) return problem ?? <Skeleton lines={lines} />
  return (
    <>
      {problem}
      {children(data)}
    </>
  )
}
