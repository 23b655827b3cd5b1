/** The messages of an organization to itself. */
import type { Maker } from './maker.js'

/** One with a file for everybody in it, one for a single member, and an upload that waits. */
export async function makeMessages(
  { index, id, things, named, post, mark }: Maker,
  recipientUserId: string,
): Promise<void> {
  const files: string[] = []
  for (const what of ['filea', 'fileb']) {
    const form = new FormData()
    form.set('file', new File([named(what)], `${named(`${what}name`)}.txt`, { type: 'text/plain' }))
    const { data } = await post('/messages/attachments', form)
    files.push(data.attachment.id)
    for (const text of [named(what), named(`${what}name`), data.attachment.id]) mark(text, [index])
  }
  const [linked = '', waiting = ''] = files
  things.attachment.push(waiting, linked)
  for (const [n, more] of [{ recipientUserId }, { attachmentIds: [linked] }].entries()) {
    const [subject, content, channel] = [named(`subject${n}`), named(`content${n}`), named(`channel${n}`)]
    const { data } = await post('/messages', { recipientOrgId: id, subject, content, channel, ...more })
    things.message.push(data.message.id)
    for (const text of [subject, content, channel, data.message.id]) mark(text, [index])
  }
}
