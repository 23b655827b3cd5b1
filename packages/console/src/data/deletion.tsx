/**
 * An action that cannot be undone: a dialog in which the person confirms it, or types the name first, and the part of a
 * page that opens it.
 */
import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/basics.js'
import { Confirm } from '../ui/dialog.js'
import { Refused } from './refused.js'

interface DeletionProps<V> {
  /** Title of the dialog. */
  title: string
  /** Text of its button; by default, the title. */
  submit?: string
  /** Explains the consequences. */
  children: ReactNode
  /** The name that the person has to type first. */
  typed?: string
  by: UseMutationResult<unknown, Error, V>
  /** The input of the mutation. */
  input: V
  onClose: () => void
}

export function Deletion<V>({ title, submit = title, children, typed, by, input, onClose }: DeletionProps<V>) {
  // The next dialog of the same mutation does not begin with the error of this one.
  const close = () => {
    by.reset()
    onClose()
  }
  return (
    <Confirm
      title={title}
      submit={submit}
      danger
      {...(typed === undefined ? {} : { typed })}
      busy={by.isPending}
      problem={<Refused error={by.error} />}
      onConfirm={() => by.mutate(input, { onSuccess: close })}
      onClose={close}
    >
      <p>{children}</p>
    </Confirm>
  )
}

export function DeletionCard<V>(props: Omit<DeletionProps<V>, 'onClose'>) {
  const { title, children } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="card stack-small">
      <h2>{title}</h2>
      <p className="muted">{children}</p>
      <div>
        <Button kind="danger" onClick={() => setOpen(true)}>
          {title}
        </Button>
      </div>
      {isOpen && <Deletion {...props} onClose={() => setOpen(false)} />}
    </section>
  )
}
