/** The kinds of senders that deliver to a source. */
export const SOURCE_FORMATS = [
  'github',
  'gitlab',
  'cdevents',
  'otlp',
  'alertmanager',
  'pagerduty',
  'datadog',
  'opsgenie',
] as const
export type SourceFormat = (typeof SOURCE_FORMATS)[number]
