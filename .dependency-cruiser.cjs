/** The direction of imports (docs/ARCHITECTURE.md). A rule names what may not be reached from where. */
const pure = 'no I/O: data in, data out';
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'x509-is-pure',
      comment: pure,
      severity: 'error',
      from: { path: '^src/x509', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^src/x509', '^(node:)?crypto$', '^(node:)?buffer$'] },
    },
    {
      name: 'jsonapi-is-pure',
      comment: pure,
      severity: 'error',
      from: { path: '^src/workspaces/jsonapi', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^src/workspaces/jsonapi', '^src/lib', '^node_modules/typebox'] },
    },
    {
      name: 'lib-stands-alone',
      severity: 'error',
      from: { path: '^src/lib', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!lib)' },
    },
    {
      name: 'outbound-knows-no-domain',
      severity: 'error',
      from: { path: '^src/outbound', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!outbound|lib)' },
    },
    {
      name: 'storage-knows-no-domain',
      severity: 'error',
      from: { path: '^src/storage', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!storage|lib)' },
    },
    {
      name: 'access-knows-nothing-of-workspaces',
      severity: 'error',
      from: { path: '^src/access' },
      to: { path: '^src/(workspaces|server|cli|config|compose)' },
    },
    {
      name: 'workspaces-knows-nothing-of-access',
      severity: 'error',
      from: { path: '^src/workspaces' },
      to: { path: '^src/(access|server|cli|config|compose|x509|revocation)' },
    },
    {
      name: 'server-is-not-the-composition-root',
      severity: 'error',
      from: { path: '^src/server' },
      to: { path: '^src/(cli|compose)' },
    },
    {
      name: 'a-store-belongs-to-its-domain',
      comment: 'another domain is reached through its service, never through its store',
      severity: 'error',
      from: { path: '^src/(access|workspaces)/([a-z-]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: 'store\\.ts$', pathNot: '^src/$1/$2/' },
    },
    {
      name: 'no-dev-dependency-in-src',
      severity: 'error',
      from: { path: '^src', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
};
