/** Rules about the source of a pipeline, its stages, and the protection of its artifacts. */
import { notCritical, notProduction, someStageNamed, stepVersionsAreNot, TEST_STAGE } from '../checks.js'
import type { Entry } from '../entry.js'
import { stages } from '../fixtures.js'
import { cis, pci, soc2 } from '../frameworks.js'

const global = (setting: string): string => `props.global["aws:cdk:pipelines:codepipeline:${setting}"]`

const SECURITY_STAGE = '[Ss]ecurity|SECURITY|[Ss]can|SCAN|(^|[^A-Z])[SD]AST|[Vv]ulnerab|[Aa]udit'
/** Neither "Gateway" nor "Navigate" names a gate. */
const APPROVAL_STAGE = '[Aa]pprov|APPROV|[Ss]ign-?[Oo]ff|(^|[^A-Za-z])gates?([^a-z]|$)|Gates?([^a-z]|$)'

/** A step that uses the newest version of its plugin, whichever that is. */
const unfixedStep = {
  stages: [{ stageName: 'Test', steps: [{ plugin: { name: 'unit-tests', filter: { version: 'latest' } } }] }],
}

export const delivery: readonly Entry[] = [
  {
    name: 'advanced-pipeline-source-versioned',
    target: 'pipeline',
    severity: 'error',
    asks: 'The source of a pipeline comes from a system for version control, not from a file store.',
    tags: ['source', 'change'],
    controls: [
      soc2('CC8.1', 'each release can be traced to changes with an author and a time.'),
      cis('4.6', 'what describes systems is kept under version control.'),
    ],
    check: {
      field: 'props.synth.source.type',
      operator: 'in',
      value: ['github', 'gitlab', 'bitbucket', 'git', 'codestar', 'codecommit'],
    },
    passes: { props: { synth: { source: { type: 'github', options: { repo: 'example/web-shop', branch: 'main' } } } } },
    fails: { props: { synth: { source: { type: 's3', options: { bucketName: 'web-shop-source' } } } } },
  },
  {
    name: 'advanced-pipeline-critical-branch',
    target: 'pipeline',
    severity: 'error',
    asks: 'A pipeline of high or critical criticality builds `main`, `master` or a branch under `release/`, which are the branches that people protect.',
    tags: ['source', 'change'],
    controls: [
      soc2('CC8.1', 'only what went through review reaches the branch that is released.'),
      pci('6.5.4', 'nobody can release alone what they have written alone.'),
    ],
    check: {
      any: [
        notCritical,
        { field: 'props.synth.source.options.branch', operator: 'in', value: ['main', 'master'] },
        { field: 'props.synth.source.options.branch', operator: 'regex', value: '^release/' },
      ],
    },
    passes: {
      criticality: 'critical',
      props: { synth: { source: { type: 'github', options: { branch: 'release/2.4' } } } },
    },
    fails: {
      criticality: 'critical',
      props: { synth: { source: { type: 'github', options: { branch: 'try-out' } } } },
    },
  },
  {
    name: 'advanced-pipeline-step-versions-fixed',
    target: 'pipeline',
    severity: 'error',
    asks: 'No step asks for the version `latest` of its plugin. The first four steps of the first six stages are read.',
    tags: ['supply-chain', 'versioning'],
    controls: [
      soc2('CC6.8', 'a new version of a tool does not get into a release unseen.'),
      pci('6.3.2', 'the tools that take part in a release are known by version.'),
      cis('16.5', 'the plugins of a pipeline are components, and change when somebody decides it.'),
    ],
    check: stepVersionsAreNot('latest'),
    passes: { props: { synth: { plugin: { filter: { version: '2.1.0' } } } } },
    fails: { criticality: 'low', lifecycle: 'experimental', props: unfixedStep },
  },
  {
    name: 'advanced-pipeline-security-stage',
    target: 'pipeline',
    severity: 'warning',
    asks: 'A pipeline in production has a stage whose name says that it looks for weaknesses: security, scan, SAST, DAST, vulnerability or audit.',
    tags: ['security', 'stages'],
    controls: [
      soc2('CC7.1', 'new vulnerabilities are looked for with each release and not once a year.'),
      cis('16.12', 'static and dynamic analysis is part of the way to production.'),
    ],
    check: { any: [notProduction, ...someStageNamed(SECURITY_STAGE)] },
    passes: { lifecycle: 'production', criticality: 'low', props: stages('Build', 'SecurityScan') },
    fails: { lifecycle: 'production', criticality: 'low', props: stages('Build', 'Test') },
  },
  {
    name: 'advanced-pipeline-critical-security-stage',
    target: 'pipeline',
    severity: 'error',
    asks: 'A pipeline of high or critical criticality has a stage whose name says that it looks for weaknesses.',
    tags: ['security', 'stages'],
    controls: [
      soc2('CC7.1', 'the release of an important service waits until it was examined for vulnerabilities.'),
      pci('6.3.1', 'vulnerabilities are found by a step that always runs, and can be ranked from its report.'),
    ],
    check: { any: [notCritical, ...someStageNamed(SECURITY_STAGE)] },
    passes: {
      criticality: 'critical',
      lifecycle: 'experimental',
      props: stages('Test', 'Security', 'Approval'),
    },
    fails: {
      criticality: 'critical',
      lifecycle: 'experimental',
      props: stages('Test', 'Approval'),
    },
  },
  {
    name: 'advanced-pipeline-critical-test-stage',
    target: 'pipeline',
    severity: 'error',
    asks: 'A pipeline of high or critical criticality has a stage whose name says that it tests: test, verify, validate or quality.',
    tags: ['quality', 'stages'],
    controls: [
      soc2('CC8.1', 'changes are tested before they are put into effect.'),
      pci('6.5.1', 'each change is tested, so that it does not weaken the system.'),
      cis('16.1', 'testing is a fixed part of the process of development.'),
    ],
    check: { any: [notCritical, ...someStageNamed(TEST_STAGE)] },
    passes: {
      criticality: 'critical',
      props: stages('AcceptanceTest', 'Security', 'Approval'),
    },
    fails: {
      criticality: 'critical',
      props: stages('Build', 'Security', 'Approval'),
    },
  },
  {
    name: 'advanced-pipeline-critical-approval',
    target: 'pipeline',
    severity: 'error',
    asks: 'A pipeline of high or critical criticality has a stage whose name says that somebody approves (approval, sign-off or gate), or says in the label `approved-by` where else that happens.',
    tags: ['change', 'stages'],
    controls: [
      soc2('CC8.1', 'a change is approved before it reaches the people who use the service.'),
      pci('6.5.4', 'release takes a second role, so that only reviewed and approved changes are deployed.'),
    ],
    check: {
      any: [notCritical, { field: 'labels.approved-by', operator: 'notEmpty' }, ...someStageNamed(APPROVAL_STAGE)],
    },
    passes: {
      criticality: 'high',
      props: stages('Test', 'Security', 'Approval'),
    },
    fails: {
      criticality: 'high',
      props: stages('Test', 'Security', 'Deploy'),
    },
  },
  {
    name: 'advanced-pipeline-separate-stages',
    target: 'pipeline',
    severity: 'warning',
    asks: 'A pipeline in production has at least two stages, so that something lies between the source and production.',
    tags: ['stages', 'change'],
    controls: [
      pci('6.5.3', 'what is not yet production is a stage of its own, with access of its own.'),
      cis('16.8', 'software is run somewhere else before it is run in production.'),
    ],
    check: { any: [notProduction, { field: '$count(props.stages)', operator: 'gte', value: 2 }] },
    passes: { lifecycle: 'production', criticality: 'low', props: stages('SecurityTest', 'Deploy') },
    fails: { lifecycle: 'production', criticality: 'low', props: stages('SecurityTest') },
  },
  {
    name: 'advanced-pipeline-keys-rotate',
    target: 'pipeline',
    severity: 'error',
    asks: 'A pipeline that encrypts its artifacts under keys of its own (`crossaccountkeys`) rotates them (`enablekeyrotation`).',
    tags: ['security', 'cryptography'],
    controls: [
      soc2('CC6.1', 'encryption keys are looked after for as long as they are in use.'),
      pci('3.7.4', 'a key is replaced at the end of its period, without anybody having to remember it.'),
    ],
    check: {
      any: [
        { field: global('crossaccountkeys'), operator: 'neq', value: true },
        { field: global('enablekeyrotation'), operator: 'eq', value: true },
      ],
    },
    passes: {
      props: {
        global: {
          'aws:cdk:pipelines:codepipeline:crossaccountkeys': true,
          'aws:cdk:pipelines:codepipeline:enablekeyrotation': true,
        },
      },
    },
    fails: {
      props: {
        global: {
          'aws:cdk:pipelines:codepipeline:crossaccountkeys': true,
          'aws:cdk:pipelines:codepipeline:enablekeyrotation': false,
        },
      },
    },
  },
  {
    name: 'advanced-pipeline-critical-artifacts-encrypted',
    target: 'pipeline',
    severity: 'error',
    asks: 'A pipeline of high or critical criticality encrypts its artifacts under a key of its own (`crossaccountkeys`).',
    tags: ['security', 'cryptography'],
    controls: [
      soc2('CC6.1', 'who may read the artifacts is decided by a key that belongs to the pipeline.'),
      cis('3.11', 'what is released rests encrypted until it is released.'),
    ],
    check: { any: [notCritical, { field: global('crossaccountkeys'), operator: 'eq', value: true }] },
    passes: {
      criticality: 'high',
      props: {
        global: {
          'aws:cdk:pipelines:codepipeline:crossaccountkeys': true,
          'aws:cdk:pipelines:codepipeline:enablekeyrotation': true,
        },
      },
    },
    fails: { criticality: 'high', props: { global: { 'aws:cdk:pipelines:codepipeline:crossaccountkeys': false } } },
  },
  {
    name: 'advanced-pipeline-updates-itself',
    target: 'pipeline',
    severity: 'warning',
    asks: 'A pipeline does not switch off `selfmutation`: changes of the pipeline then come through its source as well, and not by hand.',
    tags: ['change'],
    controls: [
      soc2('CC8.1', 'the release process changes by the same reviewed way as the software.'),
      cis('4.6', 'the pipeline is configured as code under version control.'),
    ],
    check: { field: global('selfmutation'), operator: 'neq', value: false },
    passes: { props: { global: { 'aws:cdk:pipelines:codepipeline:selfmutation': true } } },
    fails: { props: { global: { 'aws:cdk:pipelines:codepipeline:selfmutation': false } } },
  },
]
