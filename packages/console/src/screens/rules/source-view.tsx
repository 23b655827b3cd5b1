/** A draft as text: JSON or YAML, with completion. */
import { lazy, Suspense, useMemo, useState } from 'react'
import { arriving } from '../../ui/part.js'
import { Message, Skeleton } from '../../ui/states.js'
import { say, useLanguage, useWords } from '../../ui/words.js'
import { type Draft, type Language, readDraft, writeDraft } from './draft.js'
import type { Unread } from './draft-store.js'
import { codeWords } from './editor-data.js'
import { editorWords } from './words-editor.js'
import { operatorWords } from './words-operators.js'

const CodeEditor = lazy(() => arriving(() => import('../../ui/code-editor.js')))

/** A text, and the draft that it was read as. */
export interface Written {
  readonly language: Language
  readonly text: string
  readonly draft: Draft
}

interface SourceProps {
  language: Language
  draft: Draft
  /** What was written in this language before; null to begin with the draft. */
  text: string | null
  /** Why the text cannot be read. */
  problem: string | null
  onChange: (written: Written) => void
  onUnread: (unread: Unread) => void
}

export function SourceView({ language, draft, text: before, problem, onChange, onUnread }: SourceProps) {
  const t = useWords(editorWords)
  const [text, setText] = useState(() => before ?? writeDraft(draft, language))
  const to = useLanguage()
  const target = draft.target === 'plugin' ? 'plugin' : 'pipeline'
  const names = useMemo(
    () => codeWords(target, (name) => say(operatorWords[name as keyof typeof operatorWords], to)),
    [target, to],
  )
  const change = (next: string) => {
    setText(next)
    const read = readDraft(next, language)
    if ('problem' in read) onUnread({ language, text: next, problem: read.problem })
    else onChange({ language, text: next, draft: read.draft })
  }
  return (
    <Suspense fallback={<Skeleton />}>
      <CodeEditor
        label={t('source', { language: t(language) })}
        language={language}
        value={text}
        words={names}
        problem={problem}
        onChange={change}
      />
      {problem !== null && (
        <Message tone="warning" live>
          {t('notText', { problem })}
        </Message>
      )}
      <p className="small muted">
        {t('leaveEditor')} {language === 'yaml' && t('comments')}
      </p>
    </Suspense>
  )
}
