/** The commands of report sources: forges and engines that report their runs by signed deliveries. */
import type { ActionArgument, ActionGroup } from './resource.js'

const source: ActionArgument = { syntax: '<source>', description: 'id of the source', means: 'path', sends: 'id' }
const formats = ['github', 'gitlab', 'cdevents', 'otlp', 'alertmanager', 'pagerduty', 'datadog', 'opsgenie']
const map = {
  flags: '--map <name=pipeline>',
  description: 'name of a pipeline at the sender, and its id here; `*` is every other one; can be repeated',
  sends: 'mapping',
  isPairs: true,
  repeatable: true,
}

export const reportSources: ActionGroup = {
  name: 'sources',
  summary: 'forges and engines that send their runs by signed deliveries',
  examples: [
    {
      command: 'plumbline reports sources create --name acme --source-format github',
      explanation: 'prints what to paste on the settings page of GitHub',
    },
  ],
  actions: [
    {
      name: 'list',
      summary: 'list sources',
      method: 'GET',
      path: '/reports/sources',
      shows: {
        as: 'rows',
        key: 'sources',
        columns: { name: 'name', format: 'format', enabled: 'enabled', last: 'lastDeliveryAt', id: 'id', url: 'url' },
      },
      examples: [{ command: 'plumbline reports sources list', explanation: 'with the last delivery of each' }],
    },
    {
      name: 'create',
      summary: 'create a source; its secret is shown once, with what to do at the sender',
      method: 'POST',
      path: '/reports/sources',
      body: [
        { flags: '--name <text>', description: 'its name' },
        { flags: '--source-format <name>', description: 'the kind of sender', choices: formats, sends: 'format' },
        map,
      ],
      shows: { as: 'record' },
      examples: [
        { command: 'plumbline reports sources create --name acme --source-format github', explanation: 'for GitHub' },
      ],
    },
    {
      name: 'set',
      summary: 'rename a source, map its pipelines, switch it off or on',
      method: 'PUT',
      path: '/reports/sources/{id}',
      arguments: [source],
      body: [
        { flags: '--name <text>', description: 'its name' },
        map,
        { flags: '--on', description: 'accept its deliveries', sends: 'enabled' },
        { flags: '--off', description: 'refuse its deliveries', sends: 'enabled', value: false, conflicts: ['on'] },
      ],
      shows: { as: 'record' },
      examples: [
        {
          command: 'plumbline reports sources set 0190… --map acme/shop=0190…',
          explanation: 'events that waited for it are counted at once',
        },
      ],
    },
    {
      name: 'rotate',
      summary: 'give a source a new secret; the old one is valid for another 24 hours',
      method: 'POST',
      path: '/reports/sources/{id}/rotate',
      arguments: [source],
      query: [
        {
          flags: '--end-previous',
          description: 'the old secret ends at once, as when somebody leaves who knows it',
        },
      ],
      shows: { as: 'record' },
      examples: [
        { command: 'plumbline reports sources rotate 0190…', explanation: 'paste the new one within a day' },
        { command: 'plumbline reports sources rotate 0190… --end-previous', explanation: 'after a leak' },
      ],
    },
    {
      name: 'delete',
      summary: 'delete a source; its events stay',
      method: 'DELETE',
      path: '/reports/sources/{id}',
      arguments: [source],
      shows: { as: 'note', text: 'deleted' },
      examples: [{ command: 'plumbline reports sources delete 0190…', explanation: 'its deliveries are refused' }],
    },
    {
      name: 'deliveries',
      summary: 'list the result of each delivery, the newest first',
      method: 'GET',
      path: '/reports/sources/{id}/deliveries',
      arguments: [source],
      query: [
        { flags: '--limit <number>', description: 'list at most this many', integer: { min: 1, max: 1000 } },
        { flags: '--offset <number>', description: 'skip this many', integer: { min: 0 } },
      ],
      shows: {
        as: 'rows',
        key: 'deliveries',
        columns: {
          received: 'receivedAt',
          type: 'type',
          taken: 'inserted',
          known: 'duplicates',
          skipped: 'skipped',
          waiting: 'parked',
          note: 'note',
        },
      },
      examples: [{ command: 'plumbline reports sources deliveries 0190…', explanation: 'why a delivery was not used' }],
    },
  ],
}
