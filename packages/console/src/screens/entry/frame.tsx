import type { FormEvent, ReactNode } from 'react'
import { useEffect } from 'react'
import { Logo } from '../../ui/logo.js'

/** A page before the sign-in: the product name, one card, and a footer. */
export function Gate({ title, children, foot }: { title: string; children: ReactNode; foot?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Plumbline`
  }, [title])
  return (
    <main className="gate">
      <div className="gate-brand">
        <Logo size={32} />
        <span translate="no">Plumbline</span>
      </div>
      <div className="card stack">
        <h1>{title}</h1>
        {children}
      </div>
      {foot !== undefined && <div className="gate-foot">{foot}</div>}
    </main>
  )
}

export function Form({ onSend, children }: { onSend: () => void; children: ReactNode }) {
  const send = (event: FormEvent) => {
    event.preventDefault()
    onSend()
  }
  return (
    <form className="form" onSubmit={send} noValidate>
      {children}
    </form>
  )
}
