/** The facts of a Dockerfile that rules read. */
import { expect, it } from 'vitest'
import { dockerfileFacts } from './facts.js'

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: a Dockerfile and a shell write it so
it.each([
  ['one stage', 'FROM debian:12\n', 'debian:12', true],
  ['a user', 'FROM debian:12\nUSER 1000\n', 'debian:12', false],
  ['a user and group', 'FROM debian:12\nUSER app:app', 'debian:12', false],
  ['back to root', 'FROM debian:12\nUSER app\nRUN x\nUSER root', 'debian:12', true],
  ['root by number', 'FROM debian:12\nUSER 0:0', 'debian:12', true],
  ['root in capitals', 'FROM debian:12\nUSER ROOT', 'debian:12', true],
  ['small letters', 'from debian:12\nuser app', 'debian:12', false],
  [
    'the last stage counts',
    'FROM golang:1.25 AS build\nUSER app\nFROM debian:12\nCOPY --from=build /a /a',
    'debian:12',
    true,
  ],
  ['a stage of a stage', 'FROM debian:12 AS base\nUSER app\nFROM base\nRUN x', 'debian:12', false],
  ['a stage in other letters', 'FROM debian:12 AS Base\nUSER app\nFROM base', 'debian:12', false],
  ['a platform', 'FROM --platform=$BUILDPLATFORM debian:12 AS x', 'debian:12', true],
  ['a digest', 'FROM debian@sha256:abc\nUSER 1', 'debian@sha256:abc', false],
  ['an argument', 'ARG TAG=12\nFROM debian:${TAG}\nUSER 1', 'debian:12', false],
  ['an argument with another value', 'ARG TAG=12\nFROM debian:${TAG:-11}\nUSER 1', 'debian:12', false],
  ['a default in place', 'ARG TAG\nFROM debian:${TAG:-11}\nUSER 1', 'debian:11', false],
  ['a text where the argument is set', 'ARG TAG=12\nFROM debian:${TAG:+13}\nUSER 1', 'debian:13', false],
  ['two arguments', 'ARG A=a\nARG B=b\nFROM $A/${B}:${C:-c}\nUSER 1', 'a/b:c', false],
  ['a brace that nothing closes', 'ARG A=a\nFROM $A:${B:-c\nUSER 1', 'a:${B:-c', false],
  ['many braces that nothing closes', `FROM ${'${A:+'.repeat(3)}\nUSER 1`, '${A:+${A:+${A:+', false],
  ['an argument without a value', 'ARG TAG\nFROM debian:$TAG\nUSER 1', null, false],
  ['a user from an argument', 'FROM debian:12\nARG WHO=app\nUSER $WHO', 'debian:12', false],
  ['a user from a variable', 'FROM debian:12\nENV WHO=root\nUSER ${WHO}', 'debian:12', true],
  ['a user from an old variable', 'FROM debian:12\nENV WHO app\nUSER $WHO', 'debian:12', false],
  ['a user that nothing tells', 'FROM debian:12\nUSER $WHO', 'debian:12', true],
  ['a global argument, named again', 'ARG WHO=app\nFROM debian:12\nARG WHO\nUSER $WHO', 'debian:12', false],
  ['a global argument, not named again', 'ARG WHO=app\nFROM debian:12\nUSER $WHO', 'debian:12', true],
  [
    'comments and blank lines',
    '# syntax=docker/dockerfile:1\n\n# a\nFROM debian:12\n  # b\nUSER app',
    'debian:12',
    false,
  ],
  ['a continued line', 'FROM \\\n  debian:12\nUSER \\\n# between\n  app', 'debian:12', false],
  ['another joiner', '# escape=`\nFROM `\n debian:12\nUSER app', 'debian:12', false],
  ['a command that looks like one', 'FROM debian:12\nUSER app\nRUN echo \\\n  USER root', 'debian:12', false],
  ['a here-document', 'FROM debian:12\nUSER app\nRUN <<EOF\nUSER root\nEOF', 'debian:12', false],
  [
    'a here-document with tabs',
    'FROM debian:12\nUSER app\nCOPY <<-"EOF" /a\nUSER root\n\tEOF\nRUN x',
    'debian:12',
    false,
  ],
  ['lines of Windows', 'FROM debian:12\r\nUSER app\r\n', 'debian:12', false],
  ['nothing at all', 'FROM scratch', 'scratch', true],
])('%s', (_what, text, baseImage, usesRootUser) => {
  expect(dockerfileFacts(text)).toEqual({ baseImage, usesRootUser, problem: null })
})
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above

it('takes a build argument before its default', () => {
  expect(dockerfileFacts('ARG TAG=12\nFROM debian:$TAG', { TAG: '13' }).baseImage).toBe('debian:13')
})

it.each([
  ['', 'there is no FROM'],
  ['# FROM debian', 'there is no FROM'],
  ['RUN x\nFROM debian', 'RUN appears before the first FROM'],
  ['FROM', 'FROM  names no image'],
  ['FROM a b c', 'FROM a b c names no image'],
])('%j is not a Dockerfile', (text, problem) => {
  expect(dockerfileFacts(text)).toEqual({ baseImage: null, usesRootUser: true, problem })
})
