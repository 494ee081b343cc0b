/** Direction of imports (docs/ARCHITECTURE.md). Each rule forbids imports from one set of files to another. */
const pure = 'no I/O: data in, data out';

/**
 * Layers of subfolders, lowest first. A subfolder may import from lower layers only: not from others in its layer, and not
 * from the files beside the subfolders. Tests may import everything.
 */
const layers = (folder, layersFromBottom) =>
  layersFromBottom.flatMap((modules, layer) =>
    modules.map((module) => ({
      name: `${folder.slice('src/'.length)}/${module}-imports-lower-layers-only`,
      severity: 'error',
      from: { path: `^${folder}/${module}/`, pathNot: '\\.test\\.ts$' },
      to: {
        path: `^${folder}/`,
        pathNot: `^${folder}/(${[module, ...layersFromBottom.slice(0, layer).flat()].join('|')})/`,
      },
    })),
  );

/** Subfolders with a public API, `index.ts`. Other files import only from it. */
const withPublicApi = (folder, modules) =>
  modules.map((module) => ({
    name: `${folder.slice('src/'.length)}/${module}-has-a-public-api`,
    severity: 'error',
    from: { path: '^src/', pathNot: [`^${folder}/${module}/`, '\\.test\\.ts$'] },
    to: { path: `^${folder}/${module}/(?!index\\.ts$)` },
  }));

/** Domains of several folders that share their stores. */
const DOMAINS_OF_SEVERAL_FOLDERS = [
  'workspace/(consumer|deletion|document|list|lock|management|model|tag)',
  'state/(intake|reader|transfer|version)',
  'execution/(assessment|job|lifecycle|run)',
  'vcs/(archive|event|hook|link|look-up|repository)',
];

/** Packages that the build bundles into the program. Users do not install them. */
const PARTS = [
  ...['@aws-sdk/client-kms', '@aws-sdk/client-s3', '@aws-sdk/lib-storage', '@fastify/type-provider-typebox', '@types'],
  ...[
    'commander',
    'fastify',
    'find-my-way',
    'jose',
    'kubernetes-types',
    'kysely',
    'lru-cache',
    'openid-client',
    'pg',
    'pino',
    'prom-client',
    'tar',
    'typebox',
    'yaml',
    'yauzl',
  ],
];

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
      name: 'openpgp-is-pure',
      comment: pure,
      severity: 'error',
      from: { path: '^src/openpgp', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^src/openpgp', '^(node:)?crypto$', '^(node:)?buffer$'] },
    },
    {
      name: 'archive-knows-no-user',
      severity: 'error',
      from: { path: '^src/archive', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!archive|lib)' },
    },
    {
      name: 'git-knows-no-user',
      severity: 'error',
      from: { path: '^src/git', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!git|archive|lib)' },
    },
    {
      name: 'git-has-a-public-api',
      comment: 'git-remote.ts has the interfaces and loads nothing else',
      severity: 'error',
      from: { path: '^src/(?!git/)', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/git/(?!(index|git-remote)\\.ts$)' },
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
    ...withPublicApi('src/lib', ['semver', 'signed-links']),
    {
      name: 'requests-use-the-http-client',
      comment:
        'these packages send requests of their own; allowed: the clients of AWS, which sign, and openid-client, which gets a guarded fetch. ' +
        'biome.json refuses fetch and requests with node:http',
      severity: 'error',
      from: {
        path: '^src',
        pathNot: ['\\.test\\.ts$', '^src/storage/(blobs/s3/|keyring/wrap/aws-kms\\.ts$)', '^src/oidc/provider\\.ts$'],
      },
      to: { path: '^node_modules/(@aws-sdk|@smithy|openid-client|undici)/' },
    },
    {
      name: 'the-executable-stands-alone',
      comment: 'it starts before the rest of the program is unpacked',
      severity: 'error',
      from: { path: '^src/executable', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!executable)|^node_modules' },
    },
    {
      name: 'outbound-knows-no-domain',
      severity: 'error',
      from: { path: '^src/outbound', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!outbound|lib)' },
    },
    {
      name: 'jwt-knows-no-domain',
      severity: 'error',
      from: { path: '^src/jwt', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!jwt|outbound|lib)' },
    },
    ...layers('src/jwt', [['token', 'keys'], ['claims']]),
    {
      name: 'oidc-knows-no-user',
      severity: 'error',
      from: { path: '^src/oidc', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!oidc|jwt|outbound|lib)' },
    },
    {
      name: 'the-diagnosis-knows-no-domain',
      comment: 'composition/ passes in what the diagnosis needs from the tables',
      severity: 'error',
      from: { path: '^src/diagnosis', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!diagnosis|config|jwt|lib|oidc|outbound|storage|version)' },
    },
    ...layers('src/diagnosis', [
      ['model'],
      ['disk', 'bundle'],
      [
        'agents',
        'audit',
        'blobs',
        'clock',
        'configuration',
        'database',
        'keyring',
        'listeners',
        'revocation',
        'sign-in',
        'system',
      ],
    ]),
    {
      name: 'runner-knows-no-domain',
      comment: 'the runner executes jobs on machines without the rest of the server',
      severity: 'error',
      from: { path: '^src/runner', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!runner|archive|openpgp|lib)' },
    },
    {
      name: 'workers-import-no-services',
      severity: 'error',
      from: { path: '^src/workers', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!workers|lib)' },
    },
    {
      name: 'the-supervisor-loads-no-services',
      comment: 'the supervisor passes connections on; only workers load the code that answers them',
      severity: 'error',
      from: { path: '^src/cli/(program|installation/serve-(command|supervisor))\\.ts$' },
      to: { path: '^src/(access|composition|server|storage|workspaces)/', dynamic: false },
    },
    {
      name: 'the-console-knows-neither-api',
      comment: 'composition/ passes in how a session uses tokens and how a user signs in',
      severity: 'error',
      from: { path: '^src/console', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!console|lib|storage|version)' },
    },
    {
      name: 'storage-knows-no-domain',
      severity: 'error',
      from: { path: '^src/storage', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!storage|lib)' },
    },
    {
      name: 'backup-knows-no-domain',
      severity: 'error',
      from: { path: '^src/backup', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!backup|storage|lib)' },
    },
    {
      name: 'access-knows-nothing-of-workspaces',
      severity: 'error',
      from: { path: '^src/access' },
      to: { path: '^src/(workspaces|console|server|cli|config|composition)' },
    },
    {
      name: 'workspaces-knows-nothing-of-access',
      severity: 'error',
      from: { path: '^src/workspaces' },
      to: { path: '^src/(access|console|server|cli|config|composition|x509|revocation)' },
    },
    {
      name: 'import-through-the-public-api',
      comment: 'files outside a folder with an index.ts import only from that file',
      severity: 'error',
      from: { path: '^src/([^/]+)', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/(access|archive|backup|composition|config|console|diagnosis|jwt|openpgp|pki|runner|server|storage|workers|workspaces|x509)/',
        pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'nothing-imports-the-command-line',
      severity: 'error',
      from: { path: '^src/(?!cli/|main\\.ts|credentials-helper\\.ts)' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'only-the-command-line-imports-composition',
      severity: 'error',
      from: { path: '^src/(?!cli/|composition/)' },
      to: { path: '^src/composition/' },
    },
    ...layers('src/console', [['files', 'session']]),
    ...layers('src/cli', [
      ['errors'],
      ['output', 'process'],
      ['client'],
      ['credentials'],
      ['connection'],
      [
        ...['access-api', 'agent', 'backup', 'completion', 'dev', 'diagnose', 'installation', 'keyring', 'login'],
        'workspace-api',
      ],
    ]),
    {
      name: 'server-knows-no-domain',
      severity: 'error',
      from: { path: '^src/server', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!server|lib|storage|x509)' },
    },
    ...layers('src/server', [
      ['http1', 'peer'],
      ['connection', 'request'],
      ['flow-control', 'monitoring'],
      ['rate-limits'],
      ['audit'],
    ]),
    {
      name: 'tracing-knows-no-domain',
      severity: 'error',
      from: { path: '^src/tracing', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!tracing|lib|storage)' },
    },
    {
      name: 'tracing-is-loaded-where-it-is-configured',
      comment: 'composition/tracing.ts imports it only when tracing is configured',
      severity: 'error',
      from: { path: '^src/(?!tracing/)', pathNot: ['\\.test\\.ts$', '^src/composition/tracing\\.ts$'] },
      to: { path: '^src/tracing/' },
    },
    {
      name: 'config-knows-no-domain',
      severity: 'error',
      from: { path: '^src/config', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!config|lib)' },
    },
    {
      name: 'a-store-belongs-to-its-domain',
      comment: 'another domain is reached through its service, never through its store',
      severity: 'error',
      from: { path: '^src/access/([a-z-]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: 'store\\.ts$', pathNot: '^src/access/$1/' },
    },
    {
      name: 'a-store-belongs-to-its-folder',
      severity: 'error',
      from: {
        path: '^src/workspaces/([a-z-]+)/([a-z-]+)/',
        pathNot: ['\\.test\\.ts$', ...DOMAINS_OF_SEVERAL_FOLDERS.map((folders) => `^src/workspaces/${folders}/`)],
      },
      to: { path: 'store\\.ts$', pathNot: '^src/workspaces/$1/$2/' },
    },
    ...DOMAINS_OF_SEVERAL_FOLDERS.map((folders) => ({
      name: `${folders.split('/')[0]}/a-store-belongs-to-its-domain`,
      severity: 'error',
      from: { path: `^src/workspaces/${folders}/`, pathNot: '\\.test\\.ts$' },
      to: { path: 'store\\.ts$', pathNot: `^src/workspaces/${folders}/` },
    })),
    // Modules of the workspace API, and the folders inside them.
    ...layers('src/workspaces', [
      ['jsonapi'],
      ['http', 'query', 'openapi'],
      ['platform'],
      ['delivery'],
      ['tenancy'],
      ['workspace'],
      ['state', 'variables', 'vcs'],
      ['execution', 'audit-trail'],
    ]),
    ...withPublicApi('src/workspaces', [
      'delivery',
      'tenancy',
      'workspace',
      'state',
      'variables',
      'vcs',
      'execution',
      'audit-trail',
    ]),
    ...layers('src/workspaces/tenancy', [
      ['migrations', 'tag-binding', 'permissions'],
      ['hooks'],
      ['user'],
      ['organization'],
      ['project', 'team'],
      ['membership', 'machine', 'organization-lifecycle'],
      ['authentication'],
      ['token'],
      ['session', 'pipeline'],
      ['login', 'site-user', 'federation'],
      ['openapi'],
    ]),
    ...layers('src/workspaces/workspace', [
      ['migrations', 'engine', 'model'],
      ['list', 'settings', 'team-access'],
      ['hooks'],
      ['document', 'retention', 'tag'],
      ['ssh-key', 'consumer', 'lock'],
      ['deletion'],
      ['management'],
      ['openapi'],
    ]),
    ...layers('src/workspaces/state', [
      ['migrations', 'hooks', 'reader'],
      ['intake'],
      ['version'],
      ['transfer', 'openapi'],
    ]),
    ...layers('src/workspaces/variables', [
      ['migrations', 'variable'],
      ['variable-set', 'openapi'],
    ]),
    ...layers('src/workspaces/vcs', [
      ['provider', 'hooks', 'verdict', 'migrations'],
      ['connection'],
      ['repository'],
      ['archive', 'hook', 'link', 'report'],
      ['event'],
      ['look-up'],
      ['openapi'],
    ]),
    ...layers('src/workspaces/execution', [
      ['migrations', 'agent-pool', 'configuration-version', 'lifecycle', 'workload-identity'],
      ['run'],
      ['metrics'],
      ['job', 'notification', 'output', 'run-trigger', 'run-task', 'stubs'],
      ['assessment', 'task-stage'],
      ['openapi'],
    ]),
    // Folders of the access API, and the folders inside them.
    {
      name: 'access-has-a-public-api',
      severity: 'error',
      from: { path: '^src/(?!access/)', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/access/(?!index\\.ts$)' },
    },
    ...layers('src/access', [
      ['migrations', 'acl', 'model'],
      ['operation'],
      ['policies', 'identity'],
      ['tokens'],
      ['mounts'],
      ['method'],
      ['authorization', 'cert', 'jwt', 'leases', 'wrapping', 'sys', 'openapi'],
      ['pipeline'],
    ]),
    ...withPublicApi('src/access', [
      ...[
        'acl',
        'policies',
        'identity',
        'tokens',
        'mounts',
        'method',
        'authorization',
        'cert',
        'leases',
        'wrapping',
        'sys',
      ],
      ...['jwt', 'openapi', 'pipeline', 'migrations'],
    ]),
    ...layers('src/access/acl', [['language']]),
    ...layers('src/access/identity', [['common'], ['alias'], ['group'], ['entity']]),
    ...layers('src/access/tokens', [['role'], ['lifecycle'], ['lookup', 'creation'], ['renewal']]),
    ...layers('src/access/cert', [
      ['settings'],
      ['constraint', 'intermediate'],
      ['role'],
      ['authentication'],
      ['crl', 'explain'],
    ]),
    ...withPublicApi('src/access/cert', ['crl']),
    ...layers('src/access/jwt', [['settings'], ['authentication'], ['explain']]),
    {
      name: 'src-imports-no-console',
      severity: 'error',
      from: { path: '^src' },
      to: { path: '^console/' },
    },
    {
      name: 'bundled-packages-only',
      severity: 'error',
      from: { path: '^src', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], pathNot: `^node_modules/(${PARTS.join('|')})/` },
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
