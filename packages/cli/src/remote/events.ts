/** The server-sent events of a response, as they arrive. Only events with data are returned, parsed as JSON. */
import { EventSourceParserStream } from 'eventsource-parser/stream'

export interface ServerEvent<Data> {
  /** Empty if the server gave none. */
  readonly id: string
  readonly event: string
  readonly data: Data
}

/** @throws TypeError when the connection is lost. */
export async function* eventsOf<Data>({ body }: Response): AsyncGenerator<ServerEvent<Data>> {
  if (body === null) return
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const { id = '', event = '', data } of events) yield { id, event, data: JSON.parse(data) as Data }
}
