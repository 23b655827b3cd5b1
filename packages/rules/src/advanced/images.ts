/** Rules about the image that a plugin runs in, and the Dockerfile that builds it. */
import { lacks, notCritical } from '../checks.js'
import type { Entry } from '../entry.js'
import { cis, pci, soc2 } from '../frameworks.js'

const DIGEST = `sha256:${'4e'.repeat(32)}`

export const images: readonly Entry[] = [
  {
    name: 'advanced-plugin-critical-unprivileged',
    target: 'plugin',
    severity: 'error',
    asks: 'A plugin of high or critical criticality does not run as root.',
    tags: ['security', 'least-privilege', 'image'],
    controls: [
      soc2('CC6.3', 'the step that matters most has the fewest rights it can do with.'),
      pci('7.2.5', 'the account under which the software runs has the least privileges that its work needs.'),
      cis('5.4', 'administrator rights are not the everyday rights of a build.'),
    ],
    check: { any: [notCritical, { field: 'usesRootUser', operator: 'neq', value: true }] },
    escalates: 'standard-plugin-unprivileged',
    passes: { criticality: 'critical', usesRootUser: false },
    fails: { criticality: 'critical', usesRootUser: true },
  },
  {
    name: 'advanced-plugin-critical-image-by-digest',
    target: 'plugin',
    severity: 'error',
    asks: 'A plugin of high or critical criticality starts from an image that is named by its digest, when it names one: a tag can be moved, a digest cannot.',
    tags: ['image', 'supply-chain'],
    controls: [
      soc2('CC6.8', 'an image that was replaced at its source is not run in place of the one that was checked.'),
      cis('2.5', 'exactly the software that was allowed is executed.'),
    ],
    check: {
      any: [
        notCritical,
        { field: 'baseImage', operator: 'notExists' },
        { field: 'baseImage', operator: 'contains', value: '@sha256:' },
      ],
    },
    passes: { criticality: 'high', baseImage: `registry.example.com/base/node@${DIGEST}` },
    fails: { criticality: 'high', baseImage: 'registry.example.com/base/node:22.11.0' },
  },
  {
    name: 'advanced-dockerfile-no-latest',
    target: 'plugin',
    severity: 'error',
    asks: 'No stage of a Dockerfile starts from the tag `latest` without a digest. Name a version, or the digest behind the tag.',
    tags: ['image', 'supply-chain'],
    controls: [
      pci('6.3.2', 'an inventory of components needs components that have a version.'),
      cis('16.5', 'which release of a component is in use is decided and not accidental.'),
    ],
    check: {
      any: [
        { field: 'dockerfile', operator: 'notContains', value: ':latest' },
        // Every `:latest` is followed by a digest. A text with two colons in a row is not told apart.
        {
          field: 'dockerfile',
          operator: 'regex',
          value: '^([^:]|:[^:l]|:l[^:a]|:la[^:t]|:lat[^:e]|:late[^:s]|:lates[^:t]|:latest@sha256:)*$',
        },
      ],
    },
    passes: { dockerfile: 'FROM registry.example.com/base/node:22.11.0\nUSER node\n' },
    fails: { dockerfile: 'FROM registry.example.com/base/node:latest\nUSER node\n' },
  },
  {
    name: 'advanced-dockerfile-supported-base',
    target: 'plugin',
    severity: 'error',
    asks: 'A Dockerfile starts from no well-known release that gets no security fixes any more, such as `centos:7` or `node:14`.',
    tags: ['image', 'lifecycle'],
    controls: [
      pci('6.3.3', 'what no longer receives patches cannot be patched.'),
      cis('2.2', 'the software in use is supported by those who make it.'),
    ],
    check: lacks(
      'dockerfile',
      'centos:7',
      'centos:8',
      'ubuntu:16.04',
      'ubuntu:18.04',
      'debian:stretch',
      'debian:buster',
      'node:12',
      'node:14',
      'node:16',
      'python:2.7',
      'python:3.6',
      'python:3.7',
    ),
    passes: { dockerfile: 'FROM registry.example.com/base/node:22.11.0\nUSER node\n' },
    fails: { dockerfile: 'FROM registry.example.com/base/node:14.21\nUSER node\n' },
  },
  {
    name: 'advanced-dockerfile-no-remote-script',
    target: 'plugin',
    severity: 'critical',
    asks: 'A Dockerfile pipes nothing from the network into a shell.',
    tags: ['image', 'supply-chain', 'security'],
    controls: [
      soc2('CC6.8', 'nothing is executed in the build that nobody has looked at.'),
      cis('2.7', 'a script runs because it was allowed, and one that is fetched again each time cannot have been.'),
    ],
    check: lacks('dockerfile', '| bash', '| sh -', '| sh\n', '| sh \\', '| sh &&', '| sh;'),
    passes: {
      dockerfile: 'FROM registry.example.com/base/node:22.11.0\nCOPY install.sh .\nRUN ./install.sh\nUSER node\n',
    },
    fails: { dockerfile: 'FROM registry.example.com/base/node:22.11.0\nRUN curl https://x.example | sh\nUSER node\n' },
  },
  {
    name: 'advanced-dockerfile-no-remote-login',
    target: 'plugin',
    severity: 'error',
    asks: 'A Dockerfile installs no service for remote logins (`openssh-server`, `telnetd`, `rsh-server`) and does not open port 22.',
    tags: ['image', 'hardening'],
    controls: [
      pci('2.2.4', 'a build image offers the services that a build needs, and a login is none of them.'),
      cis('4.8', 'a service that nobody needs is not installed.'),
    ],
    check: lacks('dockerfile', 'openssh-server', 'telnetd', 'rsh-server', 'EXPOSE 22\n'),
    passes: {
      dockerfile: 'FROM registry.example.com/base/node:22.11.0\nRUN apt-get install -y openssh-client\nUSER node\n',
    },
    fails: {
      dockerfile: 'FROM registry.example.com/base/node:22.11.0\nRUN apt-get install -y openssh-server\nUSER node\n',
    },
  },
  {
    name: 'advanced-dockerfile-no-world-writable',
    target: 'plugin',
    severity: 'error',
    asks: 'A Dockerfile makes no file writable for everybody (`chmod 777`, `chmod a+rwx`).',
    tags: ['image', 'hardening'],
    controls: [
      pci('2.2.6', 'files are configured so that no other account can turn them to its own ends.'),
      cis('3.3', 'who may write a file is decided by need.'),
    ],
    check: lacks('dockerfile', 'chmod 777', 'chmod -R 777', 'chmod a+rwx', 'chmod -R a+rwx'),
    passes: { dockerfile: 'FROM registry.example.com/base/node:22.11.0\nRUN chmod 750 /opt/tools\nUSER node\n' },
    fails: { dockerfile: 'FROM registry.example.com/base/node:22.11.0\nRUN chmod -R 777 /opt/tools\nUSER node\n' },
  },
  {
    name: 'advanced-dockerfile-verified-packages',
    target: 'plugin',
    severity: 'error',
    asks: 'A Dockerfile does not switch off the check of package signatures.',
    tags: ['image', 'supply-chain'],
    controls: [
      soc2('CC6.8', 'a package whose origin cannot be shown is not installed.'),
      cis('2.6', 'libraries get into the image by a signature that was allowed.'),
    ],
    check: lacks('dockerfile', '--allow-unauthenticated', '--nogpgcheck', '--no-gpg-check', '--allow-untrusted'),
    passes: { dockerfile: 'FROM registry.example.com/base/alpine:3.21\nRUN apk add --no-cache git\nUSER ci\n' },
    fails: { dockerfile: 'FROM registry.example.com/base/alpine:3.21\nRUN apk add --allow-untrusted x.apk\nUSER ci\n' },
  },
  {
    name: 'advanced-plugin-privileged-build-approved',
    target: 'plugin',
    severity: 'error',
    asks: 'A plugin that runs its build privileged (`metadata["aws:cdk:codebuild:buildenvironment:privileged"]`) names in the label `privileged-approved` who agreed to it: such a build can reach the machine below.',
    tags: ['security', 'least-privilege'],
    controls: [
      soc2('CC6.3', 'an extraordinary right has somebody who granted it.'),
      pci('7.2.5', 'a build gets more than the least privileges only where that was decided.'),
    ],
    check: {
      any: [
        { field: 'metadata["aws:cdk:codebuild:buildenvironment:privileged"]', operator: 'neq', value: true },
        { field: 'labels.privileged-approved', operator: 'notEmpty' },
      ],
    },
    passes: {
      metadata: { 'aws:cdk:codebuild:buildenvironment:privileged': true },
      labels: { 'privileged-approved': 'security board, 2026-10' },
    },
    fails: { metadata: { 'aws:cdk:codebuild:buildenvironment:privileged': true } },
  },
]
