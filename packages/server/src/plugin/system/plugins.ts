/** The plugins that ship with the server: public, in the system organization, and without their own image. */
import type { PluginRow } from '../tables.js'

export type SystemPlugin = Pick<PluginRow, 'name' | 'description' | 'keywords' | 'category' | 'commands'> &
  Partial<
    Pick<
      PluginRow,
      | 'pluginType'
      | 'computeType'
      | 'timeout'
      | 'failureBehavior'
      | 'installCommands'
      | 'env'
      | 'secrets'
      | 'primaryOutputDirectory'
      | 'metadata'
    >
  >

export const SYSTEM_PLUGIN_VERSION = '1.0.0'

/** Commands that run in a step, on the image of the pipeline's platform. */
export const SYSTEM_PLUGINS: readonly SystemPlugin[] = [
  {
    name: 'node-build',
    description: 'Installs the locked dependencies of a Node.js project and runs its build script.',
    category: 'build',
    keywords: ['node', 'npm', 'javascript', 'typescript'],
    timeout: 20,
    installCommands: ['npm ci'],
    commands: ['npm run build'],
    env: { CI: 'true' },
    primaryOutputDirectory: 'dist',
  },
  {
    name: 'node-test',
    description: 'Installs the locked dependencies of a Node.js project and runs its tests.',
    category: 'testing',
    keywords: ['node', 'npm', 'tests'],
    timeout: 30,
    installCommands: ['npm ci'],
    commands: ['npm test'],
    env: { CI: 'true' },
  },
  {
    name: 'python-build',
    description: 'Builds the source distribution and the wheel of a Python project.',
    category: 'build',
    keywords: ['python', 'pip', 'wheel'],
    timeout: 20,
    installCommands: ['python -m pip install --upgrade build'],
    commands: ['python -m build --outdir dist'],
    env: { PIP_DISABLE_PIP_VERSION_CHECK: '1' },
    primaryOutputDirectory: 'dist',
  },
  {
    name: 'python-test',
    description: 'Installs a Python project with its requirements and runs its tests by pytest.',
    category: 'testing',
    keywords: ['python', 'pytest', 'tests'],
    timeout: 30,
    installCommands: ['python -m pip install -r requirements.txt pytest'],
    commands: ['python -m pytest'],
    env: { PIP_DISABLE_PIP_VERSION_CHECK: '1', PYTHONDONTWRITEBYTECODE: '1' },
  },
  {
    name: 'java-build',
    description: 'Compiles, tests and packages a Java project with its own Maven wrapper.',
    category: 'build',
    keywords: ['java', 'maven', 'jar'],
    computeType: 'MEDIUM',
    timeout: 40,
    commands: ['./mvnw --batch-mode --no-transfer-progress verify'],
    primaryOutputDirectory: 'target',
  },
  {
    name: 'container-build',
    description:
      'Builds the container image of a repository from its Dockerfile into an OCI archive, without privileges.',
    category: 'artifact',
    keywords: ['container', 'image', 'oci', 'dockerfile'],
    computeType: 'MEDIUM',
    timeout: 40,
    installCommands: ['buildctl --version'],
    commands: [
      'mkdir -p out',
      'buildctl build --frontend dockerfile.v0 --local context=. --local dockerfile=. --output type=oci,dest=out/image.tar',
    ],
    primaryOutputDirectory: 'out',
  },
  {
    name: 'container-scan',
    description: 'Scans a container image archive for known vulnerabilities and fails on serious ones.',
    category: 'security',
    keywords: ['container', 'vulnerabilities', 'scan', 'sbom'],
    computeType: 'MEDIUM',
    timeout: 20,
    commands: ['trivy image --input out/image.tar --severity HIGH,CRITICAL --exit-code 1'],
  },
  {
    name: 'static-site-build',
    description: 'Builds a static site and leaves its files in one folder.',
    category: 'build',
    keywords: ['website', 'static', 'documentation'],
    timeout: 15,
    installCommands: ['npm ci'],
    commands: ['npm run build'],
    env: { CI: 'true' },
    primaryOutputDirectory: 'public',
  },
  {
    name: 'terraform-plan',
    description: 'Checks the format of a Terraform configuration, validates it and writes a plan.',
    category: 'infrastructure',
    keywords: ['terraform', 'plan', 'infrastructure'],
    timeout: 30,
    installCommands: ['terraform init -input=false'],
    commands: ['terraform fmt -check -recursive', 'terraform validate', 'terraform plan -input=false -out=plan.tfplan'],
    env: { TF_IN_AUTOMATION: 'true' },
  },
  {
    name: 'terraform-apply',
    description: 'Applies the stored plan, and nothing else.',
    category: 'infrastructure',
    keywords: ['terraform', 'apply', 'infrastructure'],
    timeout: 60,
    installCommands: ['terraform init -input=false'],
    commands: ['terraform apply -input=false plan.tfplan'],
    env: { TF_IN_AUTOMATION: 'true' },
  },
  {
    name: 'artifact-deploy',
    description: 'Runs the deployment script of the repository on the output of the earlier stages.',
    category: 'deploy',
    keywords: ['deploy', 'release', 'artifact'],
    timeout: 30,
    commands: ['./scripts/deploy.sh'],
    secrets: [{ name: 'DEPLOY_TOKEN', required: false, description: 'Passed to the script, if it needs one' }],
  },
  {
    name: 'manual-approval',
    description: 'Stops the pipeline until a person approves.',
    category: 'deploy',
    keywords: ['approval', 'release', 'four-eyes'],
    pluginType: 'ManualApprovalStep',
    commands: [],
  },
]
