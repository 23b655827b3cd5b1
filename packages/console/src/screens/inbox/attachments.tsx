/**
 * Attachments of a message: a thumbnail if the server has one, otherwise name and size. Also the attachments of a
 * reply.
 */
import { File as FileIcon, Paperclip, X } from 'lucide-react'
import { useRef } from 'react'
import { type components, useOrganization, useWrite } from '../../data/api.js'
import { fileAddress } from '../../data/client.js'
import { Refused } from '../../data/refused.js'
import { Button } from '../../ui/basics.js'
import { useFormat } from '../../ui/format.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

export type Attachment = components['schemas']['Attachment']

export function Attachments({ of }: { of: readonly Attachment[] }) {
  const organization = useOrganization()
  const format = useFormat()
  if (of.length === 0) return null
  return (
    <ul className="attachments">
      {of.map(({ id, filename, sizeBytes, hasThumbnail }) => (
        <li key={id}>
          <a href={fileAddress(organization, `/messages/attachments/${id}`)} target="_blank" rel="noreferrer">
            {hasThumbnail ? (
              <img
                src={fileAddress(organization, `/messages/attachments/${id}`, { thumb: '1' })}
                alt=""
                loading="lazy"
              />
            ) : (
              <FileIcon size={20} aria-hidden />
            )}
            <span className="anywhere">{filename}</span>
            <span className="small muted nowrap">{format.bytes(sizeBytes)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

interface AttachProps {
  files: readonly Attachment[]
  onChange: (files: readonly Attachment[]) => void
}

export function Attach({ files, onChange }: AttachProps) {
  const t = useWords(words)
  const chooser = useRef<HTMLInputElement>(null)
  const upload = useWrite(
    (api, form: FormData) =>
      api.POST('/messages/attachments', { body: form as never, bodySerializer: (it) => it as never }),
    { stale: [], onDone: ({ attachment }) => onChange([...files, attachment]) },
  )
  const choose = (chosen: FileList | null) => {
    const [file] = chosen ?? []
    if (file === undefined) return
    const form = new FormData()
    form.append('file', file)
    upload.mutate(form)
  }
  return (
    <div className="stack-small">
      <Refused error={upload.error} />
      {files.length > 0 && (
        <ul className="plain-list">
          {files.map(({ id, filename }) => (
            <li key={id} className="row">
              <span className="anywhere">{filename}</span>
              <Button
                kind="quiet"
                aria-label={t('detach', { name: filename })}
                icon={<X size={16} aria-hidden />}
                onClick={() => onChange(files.filter((each) => each.id !== id))}
              />
            </li>
          ))}
        </ul>
      )}
      <div>
        <input
          ref={chooser}
          type="file"
          hidden
          aria-label={t('attach')}
          onChange={({ target }) => {
            choose(target.files)
            target.value = ''
          }}
        />
        <Button
          icon={<Paperclip size={16} aria-hidden />}
          busy={upload.isPending}
          onClick={() => chooser.current?.click()}
        >
          {t('attach')}
        </Button>
      </div>
    </div>
  )
}
