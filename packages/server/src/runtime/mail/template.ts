/**
 * E-mails as data: a name, the values that it needs, and the text made from them. Domains define templates. The text is
 * plain, so that nothing that a user typed can become markup.
 */
import type { Static, TSchema } from 'typebox'

export interface MailTemplate<S extends TSchema = TSchema> {
  /** `domain.noun`, such as `identity.invitation`. */
  readonly name: string
  readonly values: S
  /** One line; control characters are taken out when it is sent. */
  subject(values: Static<S>): string
  /** Plain text. Lines end with `\n`. */
  text(values: Static<S>): string
}

// biome-ignore lint/suspicious/noExplicitAny: a list of templates forgets each one's own values; they are checked against the schema
export type AnyTemplate = MailTemplate<any>

export const defineTemplate = <S extends TSchema>(template: MailTemplate<S>): MailTemplate<S> => template
