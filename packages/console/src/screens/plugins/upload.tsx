/** The upload of a plugin: an archive, or files that are written here. It can be validated first, without storing it. */
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { type operations, useWrite } from '../../data/api.js'
import { Blocked } from '../../data/blocked.js'
import { Go } from '../../data/go.js'
import { issuesOf } from '../../data/refused.js'
import { optionsOf } from '../../data/rows.js'
import { byUpload } from '../../data/upload.js'
import { type Violation, WhyCard } from '../../data/why.js'
import { valueWords } from '../../data/words.js'
import { Button } from '../../ui/basics.js'
import { Progress } from '../../ui/charts.js'
import { Dialog, FormDialog } from '../../ui/dialog.js'
import { AreaField, CheckField, Segments, SelectField, TextField } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { arriving } from '../../ui/part.js'
import { Lines, Message, Skeleton } from '../../ui/states.js'
import { notify } from '../../ui/toast.js'
import { useLabel, useWords } from '../../ui/words.js'
import { uploadWords } from './words-upload.js'

const CodeEditor = lazy(() => arriving(() => import('../../ui/code-editor.js')))
type Answer = operations['plugin.plugin.upload']['responses']['201']['content']['application/json']['data']

const SPEC = 'plugin-spec.yaml'
const NO_WORDS: readonly never[] = []
const EXAMPLE = `name: node-build
version: 1.0.0
description: Installs the packages and runs the build
keywords: [node]
commands:
  - npm ci
  - npm run build
`

interface Sent {
  readonly bytes: number
  readonly total: number
}

const wasStopped = (error: Error | null) => error?.name === 'AbortError'

/** @param isDryRun whether the server checks the upload and stores nothing. */
function useUpload(isDryRun: boolean) {
  const t = useWords(uploadWords)
  const [sent, setSent] = useState<Sent | null>(null)
  const running = useRef<AbortController | null>(null)
  const upload = useWrite(
    (api, form: FormData) =>
      api.POST('/plugins', {
        params: { query: { dryRun: isDryRun } },
        body: form as never,
        // The transport sends the form.
        bodySerializer: () => undefined,
      }),
    {
      transport(form) {
        const abort = new AbortController()
        running.current = abort
        setSent({ bytes: 0, total: 1 })
        return byUpload({ form, signal: abort.signal, onSent: (bytes, total) => setSent({ bytes, total }) })
      },
      stale: isDryRun ? [] : ['plugins', 'builds'],
      onDone: (answer) => {
        if (!isDryRun) notify(t('uploaded', { name: answer.pluginName, version: answer.version }))
      },
    },
  )
  return {
    ...upload,
    error: wasStopped(upload.error) ? null : upload.error,
    sent: upload.isPending ? sent : null,
    isSending: upload.isPending && sent !== null && sent.bytes < sent.total,
    stop: () => running.current?.abort(),
  }
}

/** The files of a plugin that is written here, as an archive. */
async function archiveOf(spec: string, dockerfile: string | null): Promise<File> {
  const { strToU8, zipSync } = await arriving(() => import('fflate'))
  const config = `buildType: ${dockerfile === null ? 'metadata_only' : 'build_image'}\n`
  const files = { [SPEC]: spec, 'config.yaml': config, ...(dockerfile === null ? {} : { Dockerfile: dockerfile }) }
  const packed = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))
  return new File([zipSync(packed) as Uint8Array<ArrayBuffer>], 'plugin.zip', { type: 'application/zip' })
}

export function UploadDialog({ onClose }: { onClose: () => void }) {
  const t = useWords(uploadWords)
  const label = useLabel(valueWords)
  const [from, setFrom] = useState<'archive' | 'text'>('archive')
  const [file, setFile] = useState<File | null>(null)
  const [spec, setSpec] = useState(EXAMPLE)
  const [dockerfile, setDockerfile] = useState<string | null>(null)
  const [access, setAccess] = useState('private')
  const [isDefault, setDefault] = useState(false)
  const check = useUpload(true)
  const upload = useUpload(false)
  const running = upload.isPending ? upload : check
  const isBusy = running.isPending
  const error = check.error ?? upload.error
  const send = async (by: typeof upload) => {
    const archive = from === 'archive' ? file : await archiveOf(spec, dockerfile)
    if (archive === null || isBusy) return
    check.reset()
    upload.reset()
    const form = new FormData()
    form.set('accessModifier', access)
    if (isDefault) form.set('setDefault', 'true')
    form.set('plugin', archive)
    by.mutate(form)
  }
  const close = () => {
    if (running.isSending) running.stop()
    onClose()
  }
  if (upload.data !== undefined) return <Uploaded of={upload.data} onClose={onClose} />
  return (
    <FormDialog
      kind={from === 'text' ? 'wide' : 'dialog'}
      title={t('upload')}
      submit={t('upload')}
      busy={upload.isPending}
      disabled={(from === 'archive' && file === null) || check.isPending}
      problem={
        <>
          {running.sent !== null && <Sending of={running.sent} onStop={running.stop} />}
          <Blocked error={error} />
          {check.data !== undefined && <Valid of={check.data} />}
        </>
      }
      actions={
        <Button
          busy={check.isPending}
          disabled={(from === 'archive' && file === null) || upload.isPending}
          onClick={() => void send(check)}
        >
          {t(error === null && check.data === undefined ? 'validate' : 'validateAgain')}
        </Button>
      }
      onSubmit={() => void send(upload)}
      onClose={close}
    >
      <Segments
        label={t('from')}
        value={from}
        options={[
          ['archive', t('archive')],
          ['text', t('text')],
        ]}
        onChange={(next) => setFrom(next as 'text')}
      />
      {from === 'archive' ? (
        <TextField
          key="archive"
          label={t('file')}
          hint={file === null ? t('fileHint') : t('chosen', { name: file.name })}
          type="file"
          accept=".zip,application/zip"
          onChange={(event) => setFile(event.target.files?.[0] ?? file)}
        />
      ) : (
        <Written
          key="text"
          spec={spec}
          onSpec={setSpec}
          dockerfile={dockerfile}
          onDockerfile={setDockerfile}
          error={error}
        />
      )}
      <SelectField
        label={t('access')}
        value={access}
        options={optionsOf(['private', 'public'], label)}
        onChange={setAccess}
      />
      <CheckField label={t('setDefault')} checked={isDefault} onChange={setDefault} />
    </FormDialog>
  )
}

interface WrittenProps {
  spec: string
  onSpec: (text: string) => void
  /** Null for a plugin without an image. */
  dockerfile: string | null
  onDockerfile: (text: string | null) => void
  error: Error | null
}

function Written({ spec, onSpec, dockerfile, onDockerfile, error }: WrittenProps) {
  const t = useWords(uploadWords)
  const [loads, setLoads] = useState(0)
  const marks = useMemo(
    () =>
      issuesOf(error).flatMap(({ file, line, column = 1, message }) =>
        file === SPEC && line !== undefined ? [{ line, column, message }] : [],
      ),
    [error],
  )
  const load = async (file: File | undefined) => {
    if (file === undefined) return
    onSpec(await file.text())
    setLoads(loads + 1)
  }
  return (
    <>
      <TextField
        label={t('specFile')}
        type="file"
        accept=".yaml,.yml"
        onChange={(event) => void load(event.target.files?.[0])}
      />
      <Suspense fallback={<Skeleton />}>
        <CodeEditor
          key={loads}
          label={SPEC}
          language="yaml"
          value={spec}
          words={NO_WORDS}
          problem={null}
          marks={marks}
          onChange={onSpec}
        />
      </Suspense>
      <CheckField
        label={t('hasImage')}
        checked={dockerfile !== null}
        onChange={(isBuilt) => onDockerfile(isBuilt ? '' : null)}
      />
      {dockerfile !== null && (
        <AreaField
          label={t('dockerfile')}
          className="input mono"
          spellCheck={false}
          value={dockerfile}
          onChange={(event) => onDockerfile(event.target.value)}
        />
      )}
    </>
  )
}

function Sending({ of: { bytes, total }, onStop }: { of: Sent; onStop: () => void }) {
  const t = useWords(uploadWords)
  const format = useFormat()
  const isSent = bytes >= total
  const says = isSent ? t('checking') : t('sending', { sent: format.bytes(bytes), total: format.bytes(total) })
  return (
    <div className="stack-small">
      <Progress label={t('upload')} value={bytes} max={total} />
      <div className="row-between">
        <span role="status">{says}</span>
        {!isSent && <Button onClick={onStop}>{t('stop')}</Button>}
      </div>
    </div>
  )
}

/** The answer of a dry run. */
function Valid({ of }: { of: Answer }) {
  const t = useWords(uploadWords)
  return (
    <>
      <Message tone="pass" live title={t('valid', { name: of.pluginName, version: of.version })}>
        {t(of.created ? 'wouldCreate' : 'wouldReplace')}
      </Message>
      <Notes of={of} />
    </>
  )
}

/** What does not hinder the upload. */
function Notes({ of: { warnings, complianceWarnings, deferredRules = [] } }: { of: Answer }) {
  const t = useWords(uploadWords)
  const violations = complianceWarnings as unknown as readonly Violation[]
  return (
    <>
      {warnings.length > 0 && (
        <Message tone="warning">
          <Lines of={warnings.map(({ message }) => message)} />
        </Message>
      )}
      {violations.map((each) => (
        <WhyCard key={`${each.ruleId} ${each.field}`} of={each} />
      ))}
      {deferredRules.length > 0 && (
        <Message title={t('deferred')}>
          <Lines of={deferredRules.map(({ ruleName }) => ruleName)} />
        </Message>
      )}
    </>
  )
}

function Uploaded({ of, onClose }: { of: Answer; onClose: () => void }) {
  const t = useWords(uploadWords)
  return (
    <Dialog title={t('uploaded', { name: of.pluginName, version: of.version })} onClose={onClose}>
      <div className="stack">
        {of.jobId !== undefined && <Message live>{t('queued')}</Message>}
        <Notes of={of} />
        <div className="row">
          {of.jobId !== undefined && (
            <Go className="button" to={`builds/${of.jobId}`}>
              {t('seeBuild')}
            </Go>
          )}
          <Go className="button" to={`plugins/${of.pluginId}`}>
            {t('seePlugin')}
          </Go>
        </div>
      </div>
    </Dialog>
  )
}
