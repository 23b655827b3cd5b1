/** The authenticator app: set-up, confirmation by its first code, and removal. Recovery codes are shown once. */
import { useState } from 'react'
import { useRead, useWrite } from '../../data/api.js'
import { codeOf } from '../../data/one-time-code.js'
import { Loaded } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { Button, Code, CopyBox } from '../../ui/basics.js'
import { FormDialog } from '../../ui/dialog.js'
import { TextField } from '../../ui/field.js'
import { Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

export function Mfa() {
  const t = useWords(words)
  const me = useRead(['me'], (api) => api.GET('/auth/me'))
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [key, setKey] = useState<string | null>(null)
  const enroll = useWrite((api, _: null) => api.POST('/auth/mfa/totp/enroll', { body: {} }), {
    stale: [],
    onDone: ({ secret }) => setKey(secret),
  })
  const drop = useWrite((api, _: null) => api.DELETE('/auth/mfa/totp'), { stale: ['me'], done: t('dropped') })
  return (
    <Loaded of={me} lines={2}>
      {({ user }) => (
        <>
          <Refused error={enroll.error ?? drop.error} />
          <Message
            tone={user.mfaEnabled ? 'pass' : 'warning'}
            title={t(user.mfaEnabled ? 'mfaOn' : 'mfaOff')}
            actions={
              user.mfaEnabled ? (
                <Button kind="danger" busy={drop.isPending} onClick={() => drop.mutate(null)}>
                  {t('dropMfa')}
                </Button>
              ) : (
                <Button kind="main" busy={enroll.isPending} onClick={() => enroll.mutate(null)}>
                  {t('enroll')}
                </Button>
              )
            }
          >
            {t('mfaWhy')}
          </Message>
          {codes !== null && (
            <section className="stack-small">
              <h2>{t('recovery')}</h2>
              <p>{t('recoveryWhy')}</p>
              <Code value={codes.join('\n')} />
            </section>
          )}
          {key !== null && <FirstCode secret={key} onCodes={setCodes} onClose={() => setKey(null)} />}
        </>
      )}
    </Loaded>
  )
}

interface FirstCodeProps {
  secret: string
  onCodes: (codes: readonly string[]) => void
  onClose: () => void
}

function FirstCode({ secret, onCodes, onClose }: FirstCodeProps) {
  const t = useWords(words)
  const [code, setCode] = useState('')
  const confirm = useWrite((api, body: { code: string }) => api.POST('/auth/mfa/totp/confirm', { body }), {
    stale: ['me'],
    onDone({ recoveryCodes }) {
      onCodes(recoveryCodes)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('enroll')}
      submit={t('confirmCode')}
      busy={confirm.isPending}
      disabled={codeOf(code).length < 6}
      problem={<Refused error={confirm.error} />}
      onSubmit={() => confirm.mutate({ code: codeOf(code) })}
      onClose={onClose}
    >
      <p>{t('scanIt')}</p>
      <CopyBox label={t('key')} text={secret} />
      <TextField
        label={t('code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
    </FormDialog>
  )
}
