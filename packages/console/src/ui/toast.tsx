/** A short notice of success. Errors are shown where they happened and never here. */
import { CircleCheck, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from './basics.js'
import { createStore, useStore } from './store.js'
import { useWords } from './words.js'
import { uiWords } from './words-ui.js'

interface Notice {
  id: number
  text: string
}

const notices = createStore<readonly Notice[]>([])
const SHOWN_MS = 6000
let count = 0

export function notify(text: string): void {
  count += 1
  const notice = { id: count, text }
  notices.set([...notices.get().slice(-2), notice])
  setTimeout(() => dismiss(notice.id), SHOWN_MS)
}

const dismiss = (id: number) => notices.set(notices.get().filter((each) => each.id !== id))

/** In a popover, so that it is above an open dialog. */
export function Toasts() {
  const t = useWords(uiWords)
  const list = useStore(notices)
  const box = useRef<HTMLDivElement>(null)
  const isOpen = list.length > 0
  useEffect(() => {
    if (isOpen) box.current?.showPopover()
  }, [isOpen])
  return (
    <section aria-label={t('notifications')} aria-live="polite">
      {isOpen && (
        <div ref={box} className="toasts" popover="manual">
          {list.map(({ id, text }) => (
            <div key={id} className="toast">
              <CircleCheck size={16} aria-hidden />
              <div>{text}</div>
              <Button
                kind="quiet"
                aria-label={t('close')}
                icon={<X size={16} aria-hidden />}
                onClick={() => dismiss(id)}
              />
            </div>
          ))}
        </div>
      )}
    </section>
  )
}
