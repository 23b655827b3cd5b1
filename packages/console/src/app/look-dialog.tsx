import { LookFields } from '../data/look-fields.js'
import { Dialog } from '../ui/dialog.js'
import { useWords } from '../ui/words.js'
import { words } from './words.js'

export function LookDialog({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  return (
    <Dialog title={t('look')} onClose={onClose}>
      <LookFields />
    </Dialog>
  )
}
