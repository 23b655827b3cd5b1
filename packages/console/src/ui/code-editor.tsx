/**
 * CodeMirror in a shadow root. Scripts create its style sheets there, so the Content-Security-Policy needs no
 * exception.
 */
import { autocompletion, type CompletionSource, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'

export interface CodeWord {
  readonly label: string
  readonly detail?: string
  readonly info?: string
}

/** A problem at a place of the text. Lines and columns count from 1. */
export interface CodeMark {
  readonly line: number
  readonly column: number
  readonly message: string
}

interface CodeEditorProps {
  label: string
  language: 'json' | 'yaml'
  value: string
  words: readonly CodeWord[]
  problem: string | null
  /** Replaces `problem` if it is given. */
  marks?: readonly CodeMark[]
  onChange: (value: string) => void
}

const LOOK = EditorView.theme({
  '&': { fontSize: '0.75rem', color: 'var(--text)', backgroundColor: 'var(--surface)', minHeight: '320px' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-ground)', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  // The colours of the default style only suit a light background.
  '.cm-line span': { color: 'var(--text)' },
})

const complete =
  (words: readonly CodeWord[]): CompletionSource =>
  (context) => {
    const word = context.matchBefore(/[$\w.[\]"-]*/)
    if (word === null || (word.from === word.to && !context.explicit)) return null
    return { from: word.from, options: words.map(({ label, detail, info }) => ({ label, detail, info })) }
  }

/** A mark below the text from its place to the end of its line. */
function diagnosticAt({ doc }: EditorState, { line, column, message }: CodeMark): Diagnostic {
  const at = doc.line(Math.min(Math.max(1, line), doc.lines))
  return { from: Math.min(at.from + Math.max(0, column - 1), at.to), to: at.to, severity: 'error', message }
}

export default function CodeEditor({ label, language, value, words, problem, marks, onChange }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const change = useRef(onChange)
  change.current = onChange
  const first = useRef(value)
  useEffect(() => {
    const host = place.current
    if (host === null) return
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
    const state = EditorState.create({
      doc: first.current,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        syntaxHighlighting(defaultHighlightStyle),
        language === 'json' ? json() : yaml(),
        autocompletion({ override: [complete(words)] }),
        lintGutter(),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) change.current(update.state.doc.toString())
        }),
        LOOK,
      ],
    })
    const made = new EditorView({ state, root, parent: root as unknown as Element })
    view.current = made
    return () => made.destroy()
  }, [language, label, words])
  useEffect(() => {
    const current = view.current
    if (current === null) return
    const shown = marks ?? (problem === null ? [] : [{ line: 1, column: 1, message: problem }])
    const found = shown.map((each) => diagnosticAt(current.state, each)).sort((a, b) => a.from - b.from)
    current.dispatch(setDiagnostics(current.state, found))
  }, [problem, marks])
  return <div className="code-editor" ref={place} />
}
