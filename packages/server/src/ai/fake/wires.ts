/**
 * The wire formats of the providers, as far as the fake needs them: parsing a request, and an answer as a whole or in
 * pieces. Bedrock streams in its own frames, the others in server-sent events.
 */
import { crc32 } from 'node:zlib'
import type { Turn, Usage } from '../provider/model.js'

export type WireName = 'chat' | 'responses' | 'anthropic' | 'google' | 'bedrock'

export interface Heard {
  readonly wire: WireName
  readonly isStreamed: boolean
  readonly instructions: string
  readonly turns: readonly Turn[]
  /** The tool by which some packages request JSON; null when they request a format. */
  readonly tool: string | null
}

type Json = Readonly<Record<string, unknown>>

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: Json) => (typeof part['text'] === 'string' ? part['text'] : textOf(part['content'])))
    .join('')
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : [])

/** @returns null for a path that belongs to no provider. */
export function hear(path: string, body: Json): Heard | null {
  const turnsOf = (messages: readonly Json[], contentKey: string): Turn[] =>
    messages
      .filter(({ role }) => role !== 'system' && role !== 'developer')
      .map((each) => ({
        role: each['role'] === 'assistant' || each['role'] === 'model' ? 'assistant' : 'user',
        text: textOf(each[contentKey]),
      }))
  const instructionsIn = (messages: readonly Json[]): string =>
    messages
      .filter(({ role }) => role === 'system' || role === 'developer')
      .map(({ content }) => textOf(content))
      .join('\n')
  if (path.endsWith('/chat/completions')) {
    const messages = list(body['messages'])
    return {
      wire: 'chat',
      isStreamed: body['stream'] === true,
      instructions: instructionsIn(messages),
      turns: turnsOf(messages, 'content'),
      tool: null,
    }
  }
  if (path.endsWith('/responses')) {
    const input = list(body['input'])
    const turns = turnsOf(input, 'content')
    return {
      wire: 'responses',
      isStreamed: body['stream'] === true,
      instructions: instructionsIn(input),
      turns,
      tool: null,
    }
  }
  if (path.endsWith('/messages')) {
    const turns = turnsOf(list(body['messages']), 'content')
    const [tool] = list(body['tools'])
    const instructions = textOf(body['system'])
    const name = typeof tool?.['name'] === 'string' ? tool['name'] : null
    return { wire: 'anthropic', isStreamed: body['stream'] === true, instructions, turns, tool: name }
  }
  if (/:(?:stream)?generateContent$/i.test(path)) {
    const instructions = textOf((body['systemInstruction'] as Json | undefined)?.['parts'])
    const turns = turnsOf(list(body['contents']), 'parts')
    return { wire: 'google', isStreamed: path.endsWith(':streamGenerateContent'), instructions, turns, tool: null }
  }
  if (/\/converse(?:-stream)?$/.test(path)) {
    const [tool] = list((body['toolConfig'] as Json | undefined)?.['tools'])
    const name = (tool?.['toolSpec'] as Json | undefined)?.['name']
    return {
      wire: 'bedrock',
      isStreamed: path.endsWith('-stream'),
      instructions: textOf(body['system']),
      turns: turnsOf(list(body['messages']), 'content'),
      tool: typeof name === 'string' ? name : null,
    }
  }
  return null
}

/** The whole answer as a JSON body. */
export function wholeAnswer({ wire, tool }: Heard, text: string, { inputTokens, outputTokens }: Usage): Json {
  const model = 'fake-1'
  switch (wire) {
    case 'chat':
      return {
        ...{ id: 'fake', object: 'chat.completion', created: 1, model },
        choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
        usage: {
          prompt_tokens: inputTokens,
          completion_tokens: outputTokens,
          total_tokens: inputTokens + outputTokens,
        },
      }
    case 'responses':
      return responseOf(text, { inputTokens, outputTokens })
    case 'anthropic':
      return {
        ...{ id: 'fake', type: 'message', role: 'assistant', model, stop_sequence: null },
        content: [
          tool === null ? { type: 'text', text } : { type: 'tool_use', id: 't', name: tool, input: parsed(text) },
        ],
        stop_reason: tool === null ? 'end_turn' : 'tool_use',
        usage: { input_tokens: inputTokens, output_tokens: outputTokens },
      }
    case 'google':
      return googleOf(text, { inputTokens, outputTokens }, true)
    case 'bedrock': {
      const content = tool === null ? { text } : { toolUse: { toolUseId: 't', name: tool, input: parsed(text) } }
      return {
        output: { message: { role: 'assistant', content: [content] } },
        stopReason: tool === null ? 'end_turn' : 'tool_use',
        usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
        metrics: { latencyMs: 1 },
      }
    }
  }
}

/** A tool's input is an object on the wire. Text that is not JSON stays as it is, so that the package refuses it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

const responseOf = (text: string, { inputTokens, outputTokens }: Usage): Json => ({
  ...{ id: 'fake', object: 'response', created_at: 1, model: 'fake-1', status: 'completed', incomplete_details: null },
  output: [
    {
      ...{ id: 'm', type: 'message', role: 'assistant', status: 'completed' },
      content: [{ type: 'output_text', text, annotations: [] }],
    },
  ],
  usage: { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
})

const googleOf = (text: string, { inputTokens, outputTokens }: Usage, isLast: boolean): Json => ({
  candidates: [
    { content: { role: 'model', parts: [{ text }] }, index: 0, ...(isLast ? { finishReason: 'STOP' } : {}) },
  ],
  usageMetadata: {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens,
    totalTokenCount: inputTokens + outputTokens,
  },
})

const sse = (data: Json, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`

/** The frames of a streamed answer: a prologue, one frame per piece, an end. */
export function framesOf(heard: Heard, pieces: readonly string[], usage: Usage): (string | Buffer)[] {
  switch (heard.wire) {
    case 'chat':
      return chatFrames(pieces, usage)
    case 'responses':
      return responsesFrames(pieces, usage)
    case 'anthropic':
      return anthropicFrames(heard, pieces, usage)
    case 'google':
      return pieces.map((text, n) => sse(googleOf(text, usage, n === pieces.length - 1)))
    case 'bedrock':
      return bedrockFrames(heard, pieces, usage)
  }
}

function chatFrames(pieces: readonly string[], { inputTokens, outputTokens }: Usage): string[] {
  const chunk = (more: Json) =>
    sse({ id: 'fake', object: 'chat.completion.chunk', created: 1, model: 'fake-1', ...more })
  const delta = (content: string) =>
    chunk({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] })
  const used = { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens }
  return [
    ...pieces.map(delta),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    chunk({ choices: [], usage: used }),
    'data: [DONE]\n\n',
  ]
}

function responsesFrames(pieces: readonly string[], usage: Usage): string[] {
  const item = { id: 'm', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
  const at = { item_id: 'm', output_index: 0, content_index: 0 }
  const whole = responseOf(pieces.join(''), usage)
  const [done] = whole['output'] as Json[]
  return [
    sse({ type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } }, 'response.created'),
    sse({ type: 'response.output_item.added', output_index: 0, item }, 'response.output_item.added'),
    ...pieces.map((delta) =>
      sse({ type: 'response.output_text.delta', ...at, delta, logprobs: [] }, 'response.output_text.delta'),
    ),
    sse({ type: 'response.output_item.done', output_index: 0, item: done }, 'response.output_item.done'),
    sse({ type: 'response.completed', response: whole }, 'response.completed'),
  ]
}

function anthropicFrames({ tool }: Heard, pieces: readonly string[], { inputTokens, outputTokens }: Usage): string[] {
  const say = (data: Json) => sse(data, String(data['type']))
  const message = {
    ...{ id: 'fake', type: 'message', role: 'assistant', model: 'fake-1', content: [] },
    stop_reason: null,
  }
  const block = tool === null ? { type: 'text', text: '' } : { type: 'tool_use', id: 't', name: tool, input: {} }
  const delta = (text: string) =>
    tool === null ? { type: 'text_delta', text } : { type: 'input_json_delta', partial_json: text }
  return [
    say({ type: 'message_start', message: { ...message, usage: { input_tokens: inputTokens, output_tokens: 1 } } }),
    say({ type: 'content_block_start', index: 0, content_block: block }),
    ...pieces.map((text) => say({ type: 'content_block_delta', index: 0, delta: delta(text) })),
    say({ type: 'content_block_stop', index: 0 }),
    say({
      type: 'message_delta',
      delta: { stop_reason: tool === null ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: outputTokens },
    }),
    say({ type: 'message_stop' }),
  ]
}

function bedrockFrames({ tool }: Heard, pieces: readonly string[], { inputTokens, outputTokens }: Usage): Buffer[] {
  const start =
    tool === null
      ? []
      : [frame('contentBlockStart', { contentBlockIndex: 0, start: { toolUse: { toolUseId: 't', name: tool } } })]
  const delta = (text: string) => (tool === null ? { text } : { toolUse: { input: text } })
  return [
    frame('messageStart', { role: 'assistant' }),
    ...start,
    ...pieces.map((text) => frame('contentBlockDelta', { contentBlockIndex: 0, delta: delta(text) })),
    frame('contentBlockStop', { contentBlockIndex: 0 }),
    frame('messageStop', { stopReason: tool === null ? 'end_turn' : 'tool_use' }),
    frame('metadata', {
      usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
      metrics: { latencyMs: 1 },
    }),
  ]
}

/** One frame of `application/vnd.amazon.eventstream`. */
function frame(event: string, data: Json): Buffer {
  const header = (name: string, value: string): Buffer => {
    const head = Buffer.from([name.length, ...Buffer.from(name), 7, value.length >> 8, value.length & 0xff])
    return Buffer.concat([head, Buffer.from(value)])
  }
  const headers = Buffer.concat([
    header(':event-type', event),
    header(':content-type', 'application/json'),
    header(':message-type', 'event'),
  ])
  const payload = Buffer.from(JSON.stringify(data))
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(16 + headers.length + payload.length, 0)
  prelude.writeUInt32BE(headers.length, 4)
  const sum = (bytes: Buffer): Buffer => {
    const four = Buffer.alloc(4)
    four.writeUInt32BE(crc32(bytes))
    return four
  }
  const body = Buffer.concat([prelude, sum(prelude), headers, payload])
  return Buffer.concat([body, sum(body)])
}
