/** Logs JSON lines to standard output. Every line has an event of the table, and all fields are redacted. */
import { type DestinationStream, type Logger, pino } from 'pino'
import { LOG_EVENTS, type LogEvent } from './events.js'
import { redact, redactText } from './redact.js'

export interface Log {
  /** @param message Replaces the event's own message when a line has more to say. */
  write(event: LogEvent, fields: object, message?: string): void
  /** Whether lines of level debug are written, so that callers can avoid collecting their fields. */
  readonly isDebug: boolean
  /** A log that adds these fields to every line. */
  child(fields: Readonly<Record<string, unknown>>): Log
  flush(): void
}

export interface LogOptions {
  readonly level: string
  /** A line for people in place of a line of JSON. */
  readonly isText?: boolean
  readonly destination?: DestinationStream
}

export function createLog({ level, isText = false, destination }: LogOptions): Log {
  const out = destination ?? pino.destination({ dest: 1, sync: true })
  const logger = pino(
    {
      level,
      // The platform adds process id and host.
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'message',
      formatters: { level: (label) => ({ level: label }) },
      // An error is a field like any other. Pino's own serializer would copy what drivers attach to it.
      serializers: {},
    },
    isText ? { write: (line: string) => out.write(textLine(line)) } : out,
  )
  return redacting(logger)
}

/** Such as `09:30:00 warn  redis: does not answer  check=redis`. Control characters stay escaped, as they are in the JSON. */
export function textLine(json: string): string {
  const { level, time, message, ...fields } = JSON.parse(json) as Record<string, unknown>
  const rest = Object.entries(fields).map(([key, value]) => `${key}=${wordOf(value)}`)
  const words = [String(time).slice(11, 19), String(level).padEnd(5), wordsOf(message), ...rest]
  return `${words.join(' ')}\n`
}

const wordOf = (value: unknown): string =>
  typeof value === 'string' && /^[\w.:/@+-]+$/.test(value) ? value : JSON.stringify(value)

const wordsOf = (message: unknown): string => JSON.stringify(message ?? '').slice(1, -1)

/** In front of pino and not in its hooks, because the hooks do not see the fields of a child. */
function redacting(logger: Logger): Log {
  return {
    write(event, fields, message) {
      const entry = LOG_EVENTS[event]
      if (!logger.isLevelEnabled(entry.level)) return
      logger[entry.level]({ event, ...(redact(fields) as object) }, redactText(message ?? entry.message))
    },
    isDebug: logger.isLevelEnabled('debug'),
    child: (fields) => redacting(logger.child(redact(fields) as Record<string, unknown>)),
    flush: () => logger.flush(),
  }
}

/** For tools and tests that log nothing. */
export const silentLog: Log = {
  write: () => undefined,
  isDebug: false,
  child: () => silentLog,
  flush: () => undefined,
}
