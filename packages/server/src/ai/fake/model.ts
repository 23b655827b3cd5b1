/** The in-process fake (`AI_PROVIDER=fake`): no network, no key, and the same answer to the same question. */
import type { Model, OpenModel, Piece, Question } from '../provider/model.js'
import { type Asking, draftFor } from './brain.js'

const PIECE_CHARS = 48

export const askingOf = ({ schemaName, turns }: Pick<Question, 'schemaName' | 'turns'>): Asking => ({
  kind: schemaName === 'plugin' ? 'plugin' : 'pipeline',
  first: turns[0]?.text ?? '',
  last: turns.at(-1)?.text ?? '',
  repairs: Math.floor((turns.length - 1) / 2),
})

/** Roughly the count of a tokenizer. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4)

export const openFake: OpenModel = async (): Promise<Model> => ({
  async *ask(question) {
    const text = JSON.stringify(draftFor(askingOf(question)))
    const size = question.isStreamed ? PIECE_CHARS : text.length
    for (let at = 0; at < text.length; at += size) {
      question.signal.throwIfAborted()
      yield { kind: 'text', text: text.slice(at, at + size) }
    }
    const sent = question.instructions + question.turns.map((turn) => turn.text).join('')
    const end: Piece = { kind: 'end', usage: { inputTokens: tokensOf(sent), outputTokens: tokensOf(text) } }
    yield end
  },
})
