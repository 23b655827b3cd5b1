/**
 * The frameworks that the advanced library refers to, with the controls it cites. Ids are those of the framework in the
 * named edition. The topics are our own short descriptions of the controls. An id that is not in a table does not
 * compile.
 *
 * INVARIANT: the formats of the ids do not overlap, so a tag `control:<id>` identifies its framework.
 */

/** Common criteria: the Security category, which is part of every SOC 2 examination. */
const soc2Controls = {
  'CC1.3': 'structure and responsibility',
  'CC2.2': 'communication inside the organization',
  'CC2.3': 'communication with people outside',
  'CC3.2': 'risks identified and judged',
  'CC3.4': 'changes that bear on controls',
  'CC4.1': 'whether controls work',
  'CC6.1': 'logical access, credentials, keys',
  'CC6.2': 'credentials issued and withdrawn',
  'CC6.3': 'roles and least privilege',
  'CC6.6': 'threats from outside the boundary',
  'CC6.7': 'transmission and removal of information',
  'CC6.8': 'unauthorized or malicious software',
  'CC7.1': 'new vulnerabilities and changed configurations',
  'CC7.2': 'monitoring for anomalies',
  'CC7.3': 'security events evaluated',
  'CC7.4': 'response to incidents',
  'CC7.5': 'recovery from incidents',
  'CC8.1': 'change management',
  'CC9.2': 'vendors and business partners',
} as const

const pciControls = {
  '1.3.1': 'inbound traffic to the cardholder data environment',
  '1.3.2': 'outbound traffic from the cardholder data environment',
  '2.2.2': 'default accounts of vendors',
  '2.2.4': 'only necessary services and functions',
  '2.2.6': 'security parameters against misuse',
  '2.2.7': 'encrypted administrative access',
  '3.7.4': 'keys changed at the end of their period',
  '4.2.1': 'strong cryptography over open networks',
  '6.1.2': 'roles and responsibilities for secure software',
  '6.2.3': 'code reviewed before release',
  '6.2.3.1': 'manual review by somebody else, approved',
  '6.3.1': 'vulnerabilities identified and ranked',
  '6.3.2': 'inventory of software and components',
  '6.3.3': 'patches and updates',
  '6.5.1': 'procedure of a change',
  '6.5.2': 'requirements confirmed after a significant change',
  '6.5.3': 'pre-production apart from production',
  '6.5.4': 'separation of roles, approved changes only',
  '6.5.5': 'no live card numbers before production',
  '7.2.2': 'access by function, least privileges',
  '7.2.5': 'privileges of application and system accounts',
  '7.2.5.1': 'review of application and system accounts',
  '8.3.2': 'authentication factors unreadable',
  '8.6.2': 'no passwords in scripts, files or code',
  '8.6.3': 'passwords of system accounts against misuse',
  '10.2.1': 'audit logs enabled',
  '11.4.3': 'external penetration test',
  '12.3.3': 'protocols and ciphers reviewed',
  '12.3.4': 'technologies reviewed for support',
  '12.5.1': 'inventory of components in scope',
  '12.5.2': 'scope documented and confirmed',
  '12.8.1': 'list of service providers',
  '12.10.1': 'plan for incidents',
} as const

/** Safeguards of the CIS Critical Security Controls. They are not the recommendations of a CIS Benchmark. */
const cisControls = {
  '2.1': 'inventory of software',
  '2.2': 'supported software',
  '2.5': 'allowed software',
  '2.6': 'allowed libraries',
  '2.7': 'allowed scripts',
  '3.3': 'access lists for data',
  '3.7': 'classes of data',
  '3.8': 'flows of data',
  '3.10': 'encryption in transit',
  '3.11': 'encryption at rest',
  '4.1': 'secure configuration',
  '4.6': 'secure management of systems',
  '4.7': 'default accounts',
  '4.8': 'unnecessary services',
  '5.4': 'administrator rights',
  '5.5': 'inventory of service accounts',
  '6.8': 'role-based access',
  '8.2': 'audit logs collected',
  '11.1': 'process of recovery',
  '15.1': 'inventory of service providers',
  '16.1': 'process of secure development',
  '16.2': 'reports of vulnerabilities accepted',
  '16.4': 'inventory of third-party components',
  '16.5': 'current and trusted third-party components',
  '16.8': 'production apart from the rest',
  '16.12': 'security checks of the code',
  '16.13': 'penetration test of applications',
  '16.14': 'threat models',
  '17.1': 'people for incidents',
  '17.2': 'contacts for incidents',
  '17.4': 'process for incidents',
} as const

export type FrameworkId = 'soc2' | 'pci-dss' | 'cis'

export interface Framework {
  readonly title: string
  readonly edition: string
  readonly controlId: RegExp
  /** The controls that at least one rule supports, each with its topic. */
  readonly controls: { readonly [id: string]: string }
}

export const frameworks: { readonly [id in FrameworkId]: Framework } = {
  soc2: {
    title: 'SOC 2',
    edition: 'Trust Services Criteria of 2017 with the points of focus of 2022',
    controlId: /^CC[1-9]\.[1-9]$/,
    controls: soc2Controls,
  },
  'pci-dss': {
    title: 'PCI DSS',
    edition: 'v4.0.1',
    controlId: /^([1-9]|1[0-2])(\.([1-9]|1\d)){2,3}$/,
    controls: pciControls,
  },
  cis: {
    title: 'CIS Controls',
    edition: 'v8.1',
    controlId: /^([1-9]|1[0-8])\.([1-9]|1[0-4])$/,
    controls: cisControls,
  },
}

export interface Control {
  readonly framework: FrameworkId
  readonly id: string
  /** Why a passing entity is evidence for the control, in one sentence of our own. */
  readonly why: string
}

export const soc2 = (id: keyof typeof soc2Controls, why: string): Control => ({ framework: 'soc2', id, why })
export const pci = (id: keyof typeof pciControls, why: string): Control => ({ framework: 'pci-dss', id, why })
export const cis = (id: keyof typeof cisControls, why: string): Control => ({ framework: 'cis', id, why })
