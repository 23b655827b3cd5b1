/** Native dialogs: the browser keeps the focus inside, returns it to the opener, and closes them on Escape. */
import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from './basics.js'
import { TextField } from './field.js'
import { useWords } from './words.js'
import { uiWords } from './words-ui.js'

interface DialogProps {
  title: string
  subtitle?: ReactNode
  onClose: () => void
  children: ReactNode
  kind?: 'dialog' | 'wide' | 'sheet'
  /** Whether a click outside keeps the dialog open, so that typed text is not lost. */
  keep?: boolean
}

const FIRST_FIELD =
  'form :is(input:not([type=radio], [type=checkbox], [type=file], [type=hidden]), select, textarea):enabled'

export function Dialog({ title, subtitle, onClose, children, kind = 'dialog', keep = false }: DialogProps) {
  const t = useWords(uiWords)
  const isForm = keep && kind !== 'sheet'
  const element = useRef<HTMLDialogElement>(null)
  const head = useId()
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    const dialog = element.current
    if (dialog === null) return
    const opener = document.activeElement
    dialog.showModal()
    // A dialog to type in. Otherwise the browser chooses the button that closes it: `autoFocus` acts before it is open.
    if (isForm) dialog.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
    return () => {
      dialog.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [isForm])
  const look = kind === 'sheet' ? 'sheet' : `dialog ${kind === 'wide' ? 'dialog-wide' : ''}`
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself
    <dialog
      ref={element}
      className={look}
      aria-labelledby={head}
      onCancel={(event) => {
        event.preventDefault()
        close.current()
      }}
      onClick={(event) => {
        if (!keep && event.target === element.current) close.current()
      }}
    >
      <div className="dialog-inner">
        <header className="dialog-head">
          <div>
            <h2 id={head}>{title}</h2>
            {subtitle !== undefined && <div className="muted">{subtitle}</div>}
          </div>
          <Button kind="quiet" aria-label={t('close')} icon={<X size={18} aria-hidden />} onClick={() => onClose()} />
        </header>
        <div className="dialog-body">{children}</div>
      </div>
    </dialog>
  )
}

interface FormDialogProps extends DialogProps {
  submit: string
  danger?: boolean
  busy?: boolean
  disabled?: boolean
  problem?: ReactNode
  /** Buttons next to the one that submits. */
  actions?: ReactNode
  onSubmit: () => void
}

/** A dialog with a form. Enter submits it, and typed text stays if the server refuses. */
export function FormDialog(props: FormDialogProps) {
  const {
    submit,
    danger = false,
    busy = false,
    disabled = false,
    problem,
    actions,
    onSubmit,
    children,
    ...dialog
  } = props
  const t = useWords(uiWords)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && !disabled) onSubmit()
  }
  return (
    <Dialog {...dialog} keep>
      <form className="form" onSubmit={send} noValidate>
        {children}
        {problem}
        <div className="form-actions">
          <Button onClick={dialog.onClose}>{t('cancel')}</Button>
          {actions}
          <Button type="submit" kind={danger ? 'danger' : 'main'} busy={busy} disabled={disabled}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface ConfirmProps extends Omit<FormDialogProps, 'onSubmit' | 'children'> {
  children: ReactNode
  /** The text that the person has to type before an action that cannot be undone. */
  typed?: string
  onConfirm: () => void
}

export function Confirm({ typed, onConfirm, children, ...rest }: ConfirmProps) {
  const t = useWords(uiWords)
  const [text, setText] = useState('')
  return (
    <FormDialog {...rest} disabled={typed !== undefined && text !== typed} onSubmit={onConfirm}>
      {children}
      {typed !== undefined && (
        <TextField
          label={t('typeName', { name: typed })}
          value={text}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </FormDialog>
  )
}
