/** Rules about who is responsible for an entity, what its failure would mean, and what happens then. */
import { notCritical, notProduction, someLinkTitled } from '../checks.js'
import type { Entry } from '../entry.js'
import { allLinks, allLinksBut } from '../fixtures.js'
import { cis, pci, soc2 } from '../frameworks.js'

export const ownership: readonly Entry[] = [
  {
    name: 'advanced-plugin-critical-team-owned',
    target: 'plugin',
    severity: 'error',
    asks: 'A plugin of high or critical criticality belongs to a team, not to one person.',
    tags: ['ownership'],
    controls: [
      soc2(
        'CC1.3',
        'responsibility for the software that builds and deploys the system is assigned to a unit that outlives its members.',
      ),
      pci('6.1.2', 'the team that is responsible for changes to this software is written down where the software is.'),
    ],
    check: { any: [notCritical, { field: 'ownerType', operator: 'eq', value: 'team' }] },
    passes: { criticality: 'critical', ownerId: 'team-build', ownerType: 'team' },
    fails: { criticality: 'critical', ownerId: 'user-1', ownerType: 'user' },
  },
  {
    name: 'advanced-pipeline-critical-team-owned',
    target: 'pipeline',
    severity: 'error',
    asks: 'A pipeline of high or critical criticality belongs to a team, not to one person.',
    tags: ['ownership'],
    controls: [
      soc2(
        'CC1.3',
        'who may change the way to production, and who answers for it, is settled as part of the structure of the organization.',
      ),
      pci(
        '6.1.2',
        'the team that is responsible for releasing the software is written down beside the release process.',
      ),
      cis(
        '17.1',
        'there is a group behind the pipeline, so that an incident finds somebody also when one person is away.',
      ),
    ],
    check: { any: [notCritical, { field: 'ownerType', operator: 'eq', value: 'team' }] },
    passes: { criticality: 'high', ownerId: 'team-web', ownerType: 'team' },
    fails: { criticality: 'high', ownerId: 'user-1', ownerType: 'user' },
  },
  {
    name: 'advanced-plugin-criticality-stated',
    target: 'plugin',
    severity: 'warning',
    asks: 'A plugin in production states how bad its failure would be: low, medium, high or critical.',
    tags: ['ownership', 'risk'],
    controls: [
      soc2(
        'CC3.2',
        'the risk that the plugin carries has been judged, and the judgement steers which rules apply to it.',
      ),
    ],
    check: {
      any: [notProduction, { field: 'criticality', operator: 'in', value: ['low', 'medium', 'high', 'critical'] }],
    },
    passes: { lifecycle: 'production', criticality: 'low' },
    fails: { lifecycle: 'production', criticality: null },
  },
  {
    name: 'advanced-pipeline-criticality-stated',
    target: 'pipeline',
    severity: 'warning',
    asks: 'A pipeline in production states how bad its failure would be: low, medium, high or critical.',
    tags: ['ownership', 'risk'],
    controls: [
      soc2(
        'CC3.2',
        'the risk of the service that the pipeline delivers has been judged, which is what its safeguards are measured against.',
      ),
      pci(
        '12.5.1',
        'the inventory of components says of each pipeline what it means to the business, beside its name.',
      ),
    ],
    check: {
      any: [notProduction, { field: 'criticality', operator: 'in', value: ['low', 'medium', 'high', 'critical'] }],
    },
    passes: { lifecycle: 'production', criticality: 'medium' },
    fails: { lifecycle: 'production', criticality: null },
  },
  {
    name: 'advanced-plugin-category-stated',
    target: 'plugin',
    severity: 'warning',
    asks: 'A plugin has a category other than `unknown`.',
    tags: ['catalog'],
    controls: [
      cis('2.1', 'the catalog is the inventory of build software, and an entry without a purpose is none.'),
      pci('12.5.1', 'the inventory of components in scope is to say what each is for; the category is that statement.'),
    ],
    check: {
      all: [
        { field: 'category', operator: 'notEmpty' },
        { field: 'category', operator: 'neq', value: 'unknown' },
      ],
    },
    passes: { category: 'quality' },
    fails: { category: 'unknown' },
  },
  {
    name: 'advanced-plugin-critical-runbook',
    target: 'plugin',
    severity: 'error',
    asks: 'A plugin of high or critical criticality has a link whose title begins with "Runbook".',
    tags: ['operations'],
    controls: [
      soc2('CC7.4', 'anyone who responds to its failure follows steps that were thought out before.'),
      cis('17.4', 'the process for incidents reaches down to the tool that may cause one.'),
    ],
    check: { any: [notCritical, ...someLinkTitled('Runbook')] },
    passes: { criticality: 'critical', links: [{ title: 'Runbook', url: 'https://runbooks.example.com/deploy' }] },
    fails: { criticality: 'critical', links: [] },
  },
  {
    name: 'advanced-pipeline-critical-runbook',
    target: 'pipeline',
    severity: 'error',
    asks: 'A pipeline of high or critical criticality has a link whose title begins with "Runbook".',
    tags: ['operations'],
    controls: [
      soc2('CC7.4', 'the people on duty have a written way to contain and repair a failed release.'),
      pci('12.10.1', 'the plan for incidents has its technical part where those who need it will look.'),
      cis('17.4', 'the process for incidents is written down for this service and not only in general.'),
    ],
    check: { any: [notCritical, ...someLinkTitled('Runbook')] },
    passes: { criticality: 'high', links: allLinks() },
    fails: { criticality: 'high', links: allLinksBut('Runbook') },
  },
  {
    name: 'advanced-pipeline-critical-contact',
    target: 'pipeline',
    severity: 'error',
    asks: 'A pipeline of high or critical criticality names in the label `on-call` who is called when it fails.',
    tags: ['operations'],
    controls: [
      soc2('CC7.3', 'an event is judged by somebody, and the label says by whom.'),
      cis('17.2', 'the contact for an incident is known before there is one.'),
    ],
    check: { any: [notCritical, { field: 'labels.on-call', operator: 'notEmpty' }] },
    passes: { criticality: 'critical', labels: { 'on-call': 'shop-duty' } },
    fails: { criticality: 'critical', labels: { 'on-call': '' } },
  },
  {
    name: 'advanced-pipeline-critical-recovery',
    target: 'pipeline',
    severity: 'error',
    asks: 'A pipeline of high or critical criticality has a link whose title begins with "Recovery": how to go back to the version before, and how to restore its data.',
    tags: ['operations'],
    controls: [
      soc2('CC7.5', 'recovery from a failed change follows a plan that can be rehearsed.'),
      pci('6.5.1', 'a change has a way back, described before the change is made.'),
      cis('11.1', 'the process for restoring the service and its data is documented.'),
    ],
    check: { any: [notCritical, ...someLinkTitled('Recovery')] },
    passes: { criticality: 'critical', links: allLinks() },
    fails: { criticality: 'critical', links: allLinksBut('Recovery plan') },
  },
  {
    name: 'advanced-plugin-default-supported',
    target: 'plugin',
    severity: 'error',
    asks: 'The default version of a plugin is not deprecated.',
    tags: ['catalog', 'lifecycle'],
    controls: [
      cis('2.2', 'who does not choose a version gets one that is maintained.'),
      pci('12.3.4', 'technology that is out of support is not handed out by default while its replacement is planned.'),
    ],
    check: {
      any: [
        { field: 'isDefault', operator: 'neq', value: true },
        { field: 'lifecycle', operator: 'neq', value: 'deprecated' },
      ],
    },
    passes: { isDefault: false, lifecycle: 'deprecated', labels: { successor: 'node-build' } },
    fails: { isDefault: true, lifecycle: 'deprecated', labels: { successor: 'node-build' } },
  },
  {
    name: 'advanced-plugin-deprecated-successor',
    target: 'plugin',
    severity: 'warning',
    asks: 'A deprecated plugin names in the label `successor` what replaces it.',
    tags: ['lifecycle'],
    controls: [
      cis('2.2', 'software that loses its support has a documented way out.'),
      pci('12.3.4', 'the plan for outdated technology names the technology that follows.'),
    ],
    check: {
      any: [
        { field: 'lifecycle', operator: 'neq', value: 'deprecated' },
        { field: 'labels.successor', operator: 'notEmpty' },
      ],
    },
    passes: { isDefault: false, lifecycle: 'deprecated', labels: { successor: 'node-build' } },
    fails: { isDefault: false, lifecycle: 'deprecated', labels: {} },
  },
  {
    name: 'advanced-pipeline-deprecated-end',
    target: 'pipeline',
    severity: 'warning',
    asks: 'A deprecated pipeline says in the label `end-of-life` on which day it is switched off, as year-month-day.',
    tags: ['lifecycle'],
    controls: [
      soc2('CC3.4', 'the end of a system is a change that is announced and can be prepared for.'),
      pci('12.3.4', 'the plan for what is outdated has a date.'),
    ],
    check: {
      any: [
        { field: 'lifecycle', operator: 'neq', value: 'deprecated' },
        { field: 'labels.end-of-life', operator: 'regex', value: '^\\d{4}-\\d{2}-\\d{2}$' },
      ],
    },
    passes: { lifecycle: 'deprecated', labels: { 'end-of-life': '2027-06-30' } },
    fails: { lifecycle: 'deprecated', labels: { 'end-of-life': 'soon' } },
  },
  {
    name: 'advanced-plugin-vendor-named',
    target: 'plugin',
    severity: 'warning',
    asks: 'A plugin of the category monitoring or notification, which sends data to somebody else, names them in the label `vendor`.',
    tags: ['vendors'],
    controls: [
      soc2('CC9.2', 'the vendors that receive data from a build are known, which is where judging them begins.'),
      pci('12.8.1', 'the list of service providers can be drawn from the catalog and stays complete.'),
      cis('15.1', 'the inventory of service providers has an entry for each tool that talks to one.'),
    ],
    check: {
      any: [
        { field: 'category', operator: 'notIn', value: ['monitoring', 'notification'] },
        { field: 'labels.vendor', operator: 'notEmpty' },
      ],
    },
    passes: { category: 'notification', labels: { vendor: 'Example Chat Ltd' } },
    fails: { category: 'notification', labels: {} },
  },
]
