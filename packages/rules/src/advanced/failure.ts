/** Rules about checks that must stop a delivery when they fail, and about released versions. */
import { notCritical } from '../checks.js'
import type { Entry } from '../entry.js'
import { cis, pci, soc2 } from '../frameworks.js'

export const failure: readonly Entry[] = [
  {
    name: 'advanced-plugin-deploy-stops-at-failure',
    target: 'plugin',
    severity: 'error',
    asks: 'A plugin of the category deploy stops its pipeline when it fails.',
    tags: ['change', 'runtime'],
    controls: [
      soc2('CC8.1', 'a change that was carried out in part does not count as carried out.'),
      pci('6.5.1', 'the way back begins with noticing that the change has failed.'),
    ],
    check: {
      any: [
        { field: 'category', operator: 'neq', value: 'deploy' },
        { field: 'failureBehavior', operator: 'eq', value: 'fail' },
      ],
    },
    passes: { category: 'deploy', failureBehavior: 'fail', labels: { 'deploy-identity': 'role/shop-deploy' } },
    fails: { category: 'deploy', failureBehavior: 'warn', labels: { 'deploy-identity': 'role/shop-deploy' } },
  },
  {
    name: 'advanced-plugin-test-stops-at-failure',
    target: 'plugin',
    severity: 'error',
    asks: 'A plugin of the category testing stops its pipeline when it fails.',
    tags: ['change', 'quality'],
    controls: [
      soc2('CC8.1', 'a change is tested before it is made, and a failed test is an answer.'),
      pci('6.5.1', 'testing is part of the procedure of a change, with a result that counts.'),
      cis('16.1', 'the process of development has a point at which faulty software does not go on.'),
    ],
    check: {
      any: [
        { field: 'category', operator: 'neq', value: 'testing' },
        { field: 'failureBehavior', operator: 'eq', value: 'fail' },
      ],
    },
    passes: { category: 'testing', failureBehavior: 'fail' },
    fails: { category: 'testing', failureBehavior: 'ignore' },
  },
  {
    name: 'advanced-plugin-security-stops-at-failure',
    target: 'plugin',
    severity: 'warning',
    asks: 'A plugin of the category security stops its pipeline when it fails: a scan that lets everything pass is a report. It warns, because a scan is introduced as a report first.',
    tags: ['security', 'quality'],
    controls: [
      soc2('CC7.1', 'a vulnerability that was detected has a consequence.'),
      pci('6.2.3', 'what the review before release has found is corrected before release.'),
      cis('16.12', 'checks of the code are applied and not only run.'),
    ],
    check: {
      any: [
        { field: 'category', operator: 'neq', value: 'security' },
        { field: 'failureBehavior', operator: 'eq', value: 'fail' },
      ],
    },
    passes: { category: 'security', failureBehavior: 'fail' },
    fails: { category: 'security', failureBehavior: 'warn' },
  },
  {
    name: 'advanced-plugin-critical-reviewed',
    target: 'plugin',
    severity: 'error',
    asks: 'A plugin of high or critical criticality names in the label `reviewed-by` who has looked at this version, other than its author.',
    tags: ['change', 'review'],
    controls: [
      soc2('CC8.1', 'a change is approved by somebody before it takes effect, and the approval can be shown.'),
      pci('6.2.3.1', 'somebody other than the author has read the code and has agreed to its release.'),
    ],
    check: { any: [notCritical, { field: 'labels.reviewed-by', operator: 'notEmpty' }] },
    passes: { criticality: 'critical', labels: { 'reviewed-by': 'b.example' } },
    fails: { criticality: 'critical', labels: { 'reviewed-by': '' } },
  },
]
