/**
 * The effect of a draft: its problems, the verdict of the engine while the author types, and the server's count when
 * typing pauses.
 */
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useRead } from '../../data/api.js'
import { useEngineText } from '../../data/engine-text.js'
import { Refused } from '../../data/refused.js'
import type { Verdict } from '../../judge/messages.js'
import { Badge, Prose } from '../../ui/basics.js'
import { Progress } from '../../ui/charts.js'
import { Message, Skeleton } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import type { Draft } from './draft.js'
import { editorWords } from './words-editor.js'
import { ruleTextWords } from './words-engine.js'

const REST_MS = 400

interface Moved {
  readonly total: number
  readonly samples: readonly { readonly entityId: string; readonly entityName: string | null }[]
}

export interface ServerImpact {
  readonly newlyFailing?: Moved
  readonly newlyPassing?: Moved
  readonly total: number
  readonly wouldFail: number
  readonly samples: readonly {
    readonly entityId: string
    readonly entityName: string | null
    readonly messages: readonly string[]
  }[]
}

export interface DraftImpact {
  readonly query: UseQueryResult<ServerImpact, Error>
  /** Whether the answer is about the draft as it is now, and not about what it was before the last keys. */
  readonly isOfDraft: boolean
}

/** @param before the id of the stored rule that the draft edits. */
export function useServerImpact(draft: Draft, isRight: boolean, before: string | null): DraftImpact {
  const [rested, setRested] = useState<Draft | null>(null)
  useEffect(() => {
    if (!isRight) return
    const timer = setTimeout(() => setRested(draft), REST_MS)
    return () => clearTimeout(timer)
  }, [draft, isRight])
  const query = useRead(
    ['impact', 'draft', before, rested],
    (api, signal) =>
      api.POST('/compliance/subscriptions/preview/impact', {
        body: { rule: rested as never, ...(before === null ? {} : { before }) },
        signal,
      }),
    { enabled: rested !== null && isRight, keep: true },
  )
  return { query, isOfDraft: rested === draft && query.data !== undefined && !query.isPlaceholderData }
}

/** @returns how many stored entities fail the draft: by the server, or by the engine until the server has counted. */
export function failuresOf(verdict: Verdict | null, { query, isOfDraft }: DraftImpact): number | null {
  return (isOfDraft ? query.data : verdict?.impact)?.wouldFail ?? null
}

interface PanelProps {
  verdict: Verdict | null
  server: DraftImpact
  isGated: boolean
}

export function ImpactPanel({ verdict, server, isGated }: PanelProps) {
  const t = useWords(editorWords)
  const inWords = useEngineText(ruleTextWords)
  return (
    <section className="card stack" aria-label={t('verdict')}>
      <h2>{t('verdict')}</h2>
      {verdict === null && <Skeleton lines={3} />}
      {verdict !== null && verdict.issues.length > 0 && <Issues of={verdict} />}
      {verdict !== null && verdict.issues.length === 0 && (
        <>
          <Numbers verdict={verdict} server={server} />
          {isGated && (
            <p className="muted">
              <Prose text={t('gatesOpen')} />
            </p>
          )}
          {verdict.advice.length > 0 && (
            <Message tone="warning" title={t('advice')}>
              <ul>
                {verdict.advice.map(({ code, message }) => (
                  <li key={`${code} ${message}`}>
                    <Prose text={inWords(message)} />
                  </li>
                ))}
              </ul>
            </Message>
          )}
        </>
      )}
    </section>
  )
}

function Issues({ of }: { of: Verdict }) {
  const t = useWords(editorWords)
  const inWords = useEngineText(ruleTextWords)
  return (
    <Message tone="error" title={t('wrong')}>
      <ul>
        {of.issues.map(({ pointer, code, message, fix }) => (
          <li key={`${pointer} ${code}`}>
            {pointer !== '' && <code>{pointer.slice(1)}</code>} <Prose text={inWords(message)} />
            <br />
            <span className="muted">
              <Prose text={inWords(fix)} />
            </span>
          </li>
        ))}
      </ul>
    </Message>
  )
}

function Numbers({ verdict, server: { query, isOfDraft } }: { verdict: Verdict; server: DraftImpact }) {
  const t = useWords(editorWords)
  const inWords = useEngineText()
  // The engine answers at once. The server's number replaces its answer.
  const shown = isOfDraft ? query.data : (verdict.impact ?? undefined)
  const problem = <Refused error={query.error} onRetry={() => void query.refetch()} />
  if (shown === undefined && query.error !== null) return problem
  if (shown === undefined) return <p className="muted">{t('counting')}</p>
  const byEngine = shown === verdict.impact
  return (
    <div className="stack-small" aria-live="polite">
      <strong>{shown.wouldFail === 0 ? t('none') : t('hits', { fail: shown.wouldFail, total: shown.total })}</strong>
      <Progress label={t('verdict')} value={shown.wouldFail} max={Math.max(1, shown.total)} fill="block" />
      <span className="row">
        <Badge>{byEngine ? t('byEngine', { ms: Math.max(1, Math.round(verdict.tookMs)) }) : t('byServer')}</Badge>
      </span>
      {problem}
      <Change impact={byEngine ? { ...shown, ...verdict.moved } : shown} />
      {shown.samples.length > 0 && <h3>{t('samples')}</h3>}
      {shown.samples.map(({ entityId, entityName, messages }) => (
        <article key={entityId} className="why" data-severity="error">
          <strong className="anywhere">{entityName ?? entityId}</strong>
          {messages.map((message) => (
            <p key={message} className="anywhere">
              <Prose text={inWords(message)} />
            </p>
          ))}
        </article>
      ))}
    </div>
  )
}

/** What an edit changes, compared with the stored rule. */
function Change({ impact: { newlyFailing, newlyPassing, wouldFail, total } }: { impact: ServerImpact }) {
  const t = useWords(editorWords)
  if (newlyFailing === undefined || newlyPassing === undefined) return null
  const was = wouldFail - newlyFailing.total + newlyPassing.total
  return (
    <>
      <p className="muted">{t('was', { fail: was, total })}</p>
      {newlyFailing.total > 0 && (
        <MovedList title={t('newlyFailing', { count: newlyFailing.total })} moved={newlyFailing} />
      )}
      {newlyPassing.total > 0 && (
        <MovedList title={t('newlyPassing', { count: newlyPassing.total })} moved={newlyPassing} />
      )}
    </>
  )
}

function MovedList({ title, moved: { samples, total } }: { title: string; moved: Moved }) {
  const t = useWords(editorWords)
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {samples.map(({ entityId, entityName }) => (
          <li key={entityId} className="anywhere">
            {entityName ?? entityId}
          </li>
        ))}
        {total > samples.length && <li className="muted">{t('andMore', { count: total - samples.length })}</li>}
      </ul>
    </section>
  )
}
