/** What several published rules would break, each alone and together, and subscribing to all of them. */
import { ApiError } from '@plumbline/client'
import { useState } from 'react'
import { useRead, useWrite } from '../../data/api.js'
import { Go } from '../../data/go.js'
import { Loaded } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { useCan } from '../../data/session.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Button, Facts } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { Empty, Message } from '../../ui/states.js'
import { DataTable } from '../../ui/table.js'
import { notify } from '../../ui/toast.js'
import { useLabel, useWords } from '../../ui/words.js'
import { words } from './words.js'

export interface Chosen {
  readonly id: string
  readonly name: string
}

/** The most rules of one request. */
const RULES_MAX = 100

interface ChosenProps {
  of: readonly Chosen[]
  /** The rules that are subscribed to now. The others stay selected. */
  onDone: (done: ReadonlySet<string>) => void
}

export function ChosenRules({ of, onDone }: ChosenProps) {
  const t = useWords(words)
  const canWrite = useCan('compliance:write')
  const [isOpen, setOpen] = useState(false)
  const { run, isBusy, refused, lost } = useSubscribeAll(of, onDone)
  return (
    <>
      <Refused error={lost} />
      {refused.length > 0 && (
        <Message tone="error" title={t('notSubscribed', { count: refused.length })} live>
          <ul>
            {refused.map(({ id, name, why }) => (
              <li key={id}>
                {name}: {why}
              </li>
            ))}
          </ul>
        </Message>
      )}
      <div className="selection-bar">
        <Button onClick={() => setOpen(true)}>{t('impactOfMany', { count: Math.min(RULES_MAX, of.length) })}</Button>
        {canWrite && (
          <Button busy={isBusy} onClick={() => void run()}>
            {t('subscribeMany', { count: of.length })}
          </Button>
        )}
      </div>
      {isOpen && <SetImpact ruleIds={of.slice(0, RULES_MAX).map(({ id }) => id)} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Subscribes to one rule after another. What was refused is listed with its reason. */
function useSubscribeAll(of: readonly Chosen[], onDone: ChosenProps['onDone']) {
  const t = useWords(words)
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<readonly (Chosen & { readonly why: string })[]>([])
  const [lost, setLost] = useState<Error | null>(null)
  const subscribe = useWrite((api, ruleId: string) => api.POST('/compliance/subscriptions', { body: { ruleId } }), {
    stale: ['published', 'subscriptions', 'rules', 'enforced', 'findings'],
  })
  const run = async () => {
    setBusy(true)
    setLost(null)
    const done = new Set<string>()
    const failed: (Chosen & { readonly why: string })[] = []
    for (const rule of of) {
      try {
        await subscribe.mutateAsync(rule.id)
        done.add(rule.id)
      } catch (error) {
        if (!(error instanceof ApiError)) {
          setLost(error as Error)
          break
        }
        failed.push({ ...rule, why: error.message })
      }
    }
    setBusy(false)
    setRefused(failed)
    if (done.size > 0) notify(t('subscribedMany', { count: done.size }))
    onDone(done)
  }
  return { run, isBusy, refused, lost }
}

function SetImpact({ ruleIds, onClose }: { ruleIds: readonly string[]; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const impact = useRead(['impact', 'set', ruleIds], (api, signal) =>
    api.POST('/compliance/subscriptions/preview/impact/set', { body: { ruleIds: [...ruleIds] }, signal }),
  )
  return (
    <Dialog kind="wide" title={t('impactOfMany', { count: ruleIds.length })} onClose={onClose}>
      <Loaded of={impact} lines={4}>
        {({ rules, together }) => (
          <>
            <Facts of={[[t('together'), t('impactText', { fail: together.wouldFail, total: together.total })]]} />
            <p className="small muted">{t('alone')}</p>
            <ul>
              {together.samples.map(({ entityType, entityId, entityName }) => (
                <li key={`${entityType} ${entityId}`}>
                  <Go to={`${entityType}s/${entityId}`}>{entityName ?? entityId}</Go>
                </li>
              ))}
            </ul>
            <DataTable
              caption={t('impact')}
              rows={[...rules].sort((a, b) => b.wouldFail - a.wouldFail)}
              rowKey={({ ruleId }) => ruleId}
              empty={<Empty title={t('none')} />}
              columns={[
                { id: 'name', head: c('rule'), primary: true, cell: ({ ruleName }) => ruleName },
                { id: 'target', head: c('target'), cell: ({ target }) => label(target) },
                {
                  id: 'fail',
                  head: t('wouldFail'),
                  cell: ({ wouldFail, total, waiting }) => (
                    <>
                      {t('failOf', { fail: wouldFail, total })}
                      {waiting > 0 && <span className="muted"> · {t('waiting', { count: waiting })}</span>}
                    </>
                  ),
                },
              ]}
            />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
