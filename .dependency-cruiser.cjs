/**
 * The floors of the house (docs/architecture.md), as a check: imports point down only, never in a circle, and the pure
 * packages reach for nothing outside themselves.
 */
const PURE = '^packages/(engine|billing-core|audit-chain)/src'
const NOT_TESTS = '\\.test(-d)?\\.ts$'
/** Every folder of the server is a domain, but for the floor below the domains and for what spans them: nobody lists a new one. */
const DOMAIN = '^packages/server/src/(?!runtime/|backup/|demo/)([^/]+)/'
/** What domains declare before their code is loaded; the floor below the runtime (ADR 101). */
const DECLARATIONS = ['^packages/server/src/declarations\\.ts$', '^packages/server/src/[^/]+/declarations\\.ts$']

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'a circle has no floor: move what both need below both',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'pure-packages-stand-alone',
      comment: 'engine, billing-core and audit-chain do not import one another',
      severity: 'error',
      from: { path: '^packages/(engine|billing-core|audit-chain)/' },
      to: { path: '^packages/', pathNot: '^packages/$1/' },
    },
    {
      name: 'rules-are-data',
      comment: 'the libraries are data: of the engine they take the types alone, and nothing else',
      severity: 'error',
      from: { path: '^packages/rules/src' },
      to: { pathNot: '^packages/(rules|engine)/src' },
    },
    {
      name: 'rules-take-types-of-the-engine',
      severity: 'error',
      from: { path: '^packages/rules/src' },
      to: { path: '^packages/engine/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pure-packages-know-no-node',
      comment: 'only the node entry of a pure package may fill the cryptography port from node:crypto',
      severity: 'error',
      from: { path: PURE, pathNot: ['/src/node\\.ts$', NOT_TESTS] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'node-entry-takes-only-crypto',
      severity: 'error',
      from: { path: `${PURE}/node\\.ts$` },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'pure-packages-take-few-libraries',
      comment: 'a new dependency of a pure package is a decision: write the ADR and add it here',
      severity: 'error',
      from: { path: PURE, pathNot: ['^packages/engine/src/testing/', NOT_TESTS] },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
        pathNot: 'node_modules/(re2js|re2-wasm|@noble/(hashes|curves|ciphers))/',
      },
    },
    {
      name: 'engine-core-does-not-force-re2-wasm',
      severity: 'error',
      from: { path: '^packages/engine/src', pathNot: ['/re2-wasm\\.ts$', NOT_TESTS] },
      to: { path: ['node_modules/re2-wasm/', '^packages/engine/src/re2-wasm\\.ts$'] },
    },
    {
      name: 'nothing-imports-through-its-own-barrel',
      severity: 'error',
      from: { path: '^packages/([^/]+)/src/.+', pathNot: [NOT_TESTS, '/src/index\\.ts$', '/src/node\\.ts$'] },
      to: { path: '^packages/$1/src/index\\.ts$' },
    },
    {
      name: 'runtime-knows-no-domain',
      comment: 'main, server, app, domains, runtime: imports point down only',
      severity: 'error',
      from: { path: '^packages/server/src/runtime/', pathNot: NOT_TESTS },
      to: { path: '^packages/server/src/', pathNot: ['^packages/server/src/runtime/', ...DECLARATIONS] },
    },
    {
      name: 'declarations-know-no-code',
      comment: 'they are read before any domain is loaded',
      severity: 'error',
      from: { path: DECLARATIONS },
      to: {
        path: '^packages/server/src/',
        pathNot: [...DECLARATIONS, '^packages/server/src/runtime/(declare|setting/(setting|types))\\.ts$'],
      },
    },
    {
      name: 'domains-know-no-app',
      severity: 'error',
      from: { path: DOMAIN, pathNot: NOT_TESTS },
      to: { path: '^packages/server/src/(app|compose|domains|server|main|config|store|schema|backup|demo/|index)' },
    },
    {
      name: 'domains-meet-at-the-door',
      comment: 'a domain reaches another only by its index.ts',
      severity: 'error',
      from: { path: DOMAIN, pathNot: NOT_TESTS },
      to: {
        path: DOMAIN,
        pathNot: ['^packages/server/src/$1/', '^packages/server/src/[^/]+/(index|tables)\\.ts$'],
      },
    },
    {
      name: 'screens-know-no-app',
      comment: 'the console: app, screens, judge and data, ui: imports point down only',
      severity: 'error',
      from: { path: '^packages/console/src/screens/' },
      to: { path: '^packages/console/src/app/' },
    },
    {
      name: 'data-of-the-console-knows-no-screen',
      severity: 'error',
      from: { path: '^packages/console/src/(data|judge)/' },
      to: { path: '^packages/console/src/(app|screens)/' },
    },
    {
      name: 'parts-of-the-console-know-no-domain',
      severity: 'error',
      from: { path: '^packages/console/src/ui/' },
      to: { path: '^packages/(console/src/(app|screens|data|judge)|client|engine)/' },
    },
    {
      name: 'screens-meet-at-the-address',
      comment: 'a screen leads to another by a link, and shares what both need through data or ui',
      severity: 'error',
      from: { path: '^packages/console/src/screens/([^/]+)/' },
      to: { path: '^packages/console/src/screens/', pathNot: '^packages/console/src/screens/$1/' },
    },
    {
      name: 'packages-do-not-reach-up',
      severity: 'error',
      // How a package is built is the root's to say.
      from: { path: '^packages/', pathNot: '/tsup\\.config\\.ts$' },
      to: { path: '^(bench|examples|scripts|docs)/' },
    },
    {
      name: 'shipped-code-does-not-use-development-packages',
      severity: 'error',
      comment: 'what the command line and the console use is bundled into them',
      from: { path: '^packages/(?!cli/|console/)[^/]+/src', pathNot: [NOT_TESTS, '/testing/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer', 'npm-optional', 'type-only'] },
    },
    {
      name: 'resolvable',
      comment: 'sarif is the name that @types/sarif gives to types without a package',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^sarif$', '\\?worker&url$'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['/dist/', '/fixtures/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.mjs', '.css'],
    },
  },
}
