/** What the static analysis finds about the rules in force, and its fixes. The analysis runs in the worker. */
import type { Rule } from '@plumbline/engine'
import { useMemo, useState } from 'react'
import { useRead, useWrite } from '../../data/api.js'
import { etagOf } from '../../data/client.js'
import { useEngineText } from '../../data/engine-text.js'
import { Go } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { Loaded } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { RuleChanges } from '../../data/rule-changes.js'
import { changesBetween } from '../../data/rule-diff.js'
import { useCan, useSession } from '../../data/session.js'
import { commonWords } from '../../data/words.js'
import type { Linted } from '../../judge/messages.js'
import { useLint } from '../../judge/use-lint.js'
import { Button, Prose } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { Empty, Message, Skeleton } from '../../ui/states.js'
import { DataTable } from '../../ui/table.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'
import { ruleTextWords } from './words-engine.js'

type Fields = Readonly<Record<string, unknown>>
type Fixed = NonNullable<Linted['fixed']>

/** @param about the id of a rule; without it, the findings about all rules. */
export function Analysis({ about }: { about?: string }) {
  const t = useWords(words)
  const bundle = useRead(['enforced', 'bundle'], (api) => api.GET('/compliance/bundle'))
  const content = bundle.data?.bundle.content
  const rules = useMemo(
    () => (content?.rules as readonly { readonly rule: Rule }[] | undefined)?.map(({ rule }) => rule) ?? null,
    [content],
  )
  const found = useLint(rules)
  return (
    <Loaded of={bundle}>
      {() =>
        found === null ? (
          <Skeleton />
        ) : (
          <>
            <p className="muted">{t('analysed', { count: rules?.length ?? 0 })}</p>
            <Findings
              of={found.filter(({ finding }) => about === undefined || finding.rules.some(({ id }) => id === about))}
            />
          </>
        )
      }
    </Loaded>
  )
}

function Findings({ of }: { of: readonly Linted[] }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { organization } = useSession()
  const inWords = useEngineText(ruleTextWords)
  const canWrite = useCan('compliance:write')
  const [open, setOpen] = useState<Linted | null>(null)
  const isOwn = ({ fixed }: Linted) => fixed !== null && fixed.before.orgId === organization.id
  return (
    <>
      <DataTable
        caption={t('analysis')}
        rows={of}
        rowKey={({ finding: { code, pointer, rules, message } }) =>
          JSON.stringify([code, pointer, rules.map(({ position }) => position), message])
        }
        empty={<Empty title={t('analysisNone')}>{t('analysisNoneNext')}</Empty>}
        columns={[
          {
            id: 'rules',
            head: c('rules'),
            primary: true,
            cell: ({ finding }) => (
              <span className="row">
                {finding.rules.map(({ id, name, position }) => (
                  <Go key={position} to={`rules/${id}`}>
                    {name}
                  </Go>
                ))}
              </span>
            ),
          },
          { id: 'severity', head: c('severity'), cell: ({ finding }) => <Mark value={finding.severity} /> },
          {
            id: 'message',
            head: t('finding'),
            cell: ({ finding: { message, advice } }) => (
              <>
                <div className="anywhere">
                  <Prose text={inWords(message)} />
                </div>
                <div className="small muted anywhere">
                  <Prose text={inWords(advice)} />
                </div>
              </>
            ),
          },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: (each) =>
              canWrite &&
              isOwn(each) && (
                <Button
                  aria-label={t('showFixOf', { name: each.fixed?.before.name ?? '' })}
                  onClick={() => setOpen(each)}
                >
                  {t('showFix')}
                </Button>
              ),
          },
        ]}
      />
      {open?.fixed != null && (
        <Fix of={open.fixed} says={inWords(open.finding.fix?.description ?? '')} onClose={() => setOpen(null)} />
      )}
    </>
  )
}

interface FixProps {
  of: Fixed
  says: string
  onClose: () => void
}

/** The change that a fix makes to the stored rule. It is saved only on the version that was analysed. */
function Fix({ of: { before, after }, says, onClose }: FixProps) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const id = before.id ?? ''
  const stored = useRead(['rules', 'one', id], (api) => api.GET('/compliance/rules/{id}', { params: { path: { id } } }))
  const changes = changesBetween(before as unknown as Fields, after as unknown as Fields)
  const body = Object.fromEntries(changes.map(({ name, after: value }) => [name, value ?? null]))
  const save = useWrite(
    (api, _: null) => api.PUT('/compliance/rules/{id}', { params: { path: { id } }, body: body as never }),
    { done: c('saved'), ifMatch: () => etagOf(`/compliance/rules/${id}`), onDone: onClose },
  )
  return (
    <Dialog kind="wide" title={before.name} subtitle={<Prose text={says} />} onClose={onClose}>
      <Refused error={save.error} />
      <RuleChanges of={changes} />
      <Loaded of={stored} lines={1}>
        {({ rule }) =>
          rule.version === before.version ? (
            <div className="form-actions">
              <Button kind="main" busy={save.isPending} onClick={() => save.mutate(null)}>
                {t('saveFix')}
              </Button>
            </div>
          ) : (
            <Message tone="warning">{t('changedSince')}</Message>
          )
        }
      </Loaded>
    </Dialog>
  )
}
