/** The direction of imports (docs/ARCHITECTURE.md). A rule names what may not be reached from where. */
const pure = 'no I/O: data in, data out';

/**
 * Rooms of a folder, floor by floor from the ground up: each knows what is below, neither its neighbours on the floor nor the files
 * that stand beside the rooms. Tests may know all.
 */
const inOrder = (folder, floors) =>
  floors.flatMap((rooms, floor) =>
    rooms.map((room) => ({
      name: `${folder.slice('src/'.length)}/${room}-knows-what-is-below`,
      severity: 'error',
      from: { path: `^${folder}/${room}/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^${folder}/`, pathNot: `^${folder}/(${[room, ...floors.slice(0, floor).flat()].join('|')})/` },
    })),
  );

/** Rooms of a folder that have a face, `index.ts`: nobody imports past it. */
const withFaces = (folder, rooms) =>
  rooms.map((room) => ({
    name: `${folder.slice('src/'.length)}/${room}-has-a-face`,
    severity: 'error',
    from: { path: '^src/', pathNot: [`^${folder}/${room}/`, '\\.test\\.ts$'] },
    to: { path: `^${folder}/${room}/(?!index\\.ts$)` },
  }));

/** Domains that have a room for each of their stories, and one set of stores for all of them. */
const DOMAINS_OF_SEVERAL_ROOMS = [
  'workspace/(consumer|deletion|document|list|lock|management|model|tag)',
  'state/(intake|reader|transfer|version)',
  'execution/(assessment|job|lifecycle|run)',
];

/** The packages that the program is made of. The build puts them into it, so none is installed with it. */
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
      name: 'the-executable-stands-alone',
      comment: 'it starts before anything of the program is there',
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
    ...inOrder('src/jwt', [['token', 'keys'], ['claims']]),
    {
      name: 'oidc-knows-no-user',
      severity: 'error',
      from: { path: '^src/oidc', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!oidc|jwt|outbound|lib)' },
    },
    {
      name: 'the-diagnosis-knows-no-domain',
      comment: 'what is in their tables composition/ tells it',
      severity: 'error',
      from: { path: '^src/diagnosis', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!diagnosis|config|jwt|lib|oidc|outbound|storage|version)' },
    },
    ...inOrder('src/diagnosis', [
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
      comment: 'it carries out what it is told, on machines that have nothing else of the server',
      severity: 'error',
      from: { path: '^src/runner', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!runner|lib)' },
    },
    {
      name: 'workers-know-nothing-of-what-they-serve',
      severity: 'error',
      from: { path: '^src/workers', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!workers|lib)' },
    },
    {
      name: 'who-starts-workers-is-light',
      comment: 'it accepts connections and answers none: what answers them is loaded by those that do',
      severity: 'error',
      from: { path: '^src/cli/(program|installation/serve-(command|supervisor))\\.ts$' },
      to: { path: '^src/(access|composition|server|storage|workspaces)/', dynamic: false },
    },
    {
      name: 'the-console-knows-neither-api',
      comment: 'what a session does with a token, and how one logs in, composition/ says',
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
      name: 'the-face-is-the-way-in',
      comment: 'a folder with an index.ts is reached through it',
      severity: 'error',
      from: { path: '^src/([^/]+)', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/(access|backup|composition|config|console|diagnosis|jwt|pki|runner|server|storage|workers|workspaces|x509)/',
        pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'the-command-line-is-on-top',
      severity: 'error',
      from: { path: '^src/(?!cli/|main\\.ts|credentials-helper\\.ts)' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'the-composition-root-is-below-the-command-line-alone',
      severity: 'error',
      from: { path: '^src/(?!cli/|composition/)' },
      to: { path: '^src/composition/' },
    },
    ...inOrder('src/console', [['files', 'session']]),
    ...inOrder('src/cli', [
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
    ...inOrder('src/server', [
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
      comment: 'composition/tracing.ts imports it when it is configured: off, it costs nothing',
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
      name: 'a-store-belongs-to-its-room',
      severity: 'error',
      from: {
        path: '^src/workspaces/([a-z-]+)/([a-z-]+)/',
        pathNot: ['\\.test\\.ts$', ...DOMAINS_OF_SEVERAL_ROOMS.map((rooms) => `^src/workspaces/${rooms}/`)],
      },
      to: { path: 'store\\.ts$', pathNot: '^src/workspaces/$1/$2/' },
    },
    ...DOMAINS_OF_SEVERAL_ROOMS.map((rooms) => ({
      name: `${rooms.split('/')[0]}/a-store-belongs-to-its-domain`,
      severity: 'error',
      from: { path: `^src/workspaces/${rooms}/`, pathNot: '\\.test\\.ts$' },
      to: { path: 'store\\.ts$', pathNot: `^src/workspaces/${rooms}/` },
    })),
    // The wings of the workspace API, and the rooms inside of them.
    ...inOrder('src/workspaces', [
      ['jsonapi'],
      ['http', 'query', 'openapi'],
      ['platform'],
      ['tenancy'],
      ['workspace'],
      ['state', 'variables', 'vcs'],
      ['execution', 'audit-trail'],
    ]),
    ...withFaces('src/workspaces', ['tenancy', 'workspace', 'state', 'variables', 'vcs', 'execution', 'audit-trail']),
    ...inOrder('src/workspaces/tenancy', [
      ['migrations', 'tag-binding', 'permissions'],
      ['hooks'],
      ['user'],
      ['organization'],
      ['project', 'team'],
      ['membership', 'machine', 'organization-lifecycle'],
      ['authentication'],
      ['token', 'link'],
      ['session', 'pipeline'],
      ['login', 'site-user', 'federation'],
      ['openapi'],
    ]),
    ...inOrder('src/workspaces/workspace', [
      ['migrations', 'engine', 'model'],
      ['list', 'settings', 'team-access'],
      ['hooks'],
      ['document', 'retention', 'tag'],
      ['ssh-key', 'consumer', 'lock'],
      ['deletion'],
      ['management'],
      ['openapi'],
    ]),
    ...inOrder('src/workspaces/state', [
      ['migrations', 'hooks', 'reader'],
      ['intake'],
      ['version'],
      ['transfer', 'openapi'],
    ]),
    ...inOrder('src/workspaces/variables', [
      ['migrations', 'variable'],
      ['variable-set', 'openapi'],
    ]),
    ...inOrder('src/workspaces/vcs', [['connection'], ['openapi']]),
    ...inOrder('src/workspaces/execution', [
      ['migrations', 'agent-pool', 'configuration-version', 'lifecycle', 'webhook', 'workload-identity'],
      ['run'],
      ['metrics'],
      ['job', 'notification', 'output', 'run-trigger', 'run-task', 'stubs'],
      ['assessment', 'task-stage'],
      ['openapi'],
    ]),
    // The rooms of the access API, and those inside of them.
    {
      name: 'access-has-a-face',
      severity: 'error',
      from: { path: '^src/(?!access/)', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/access/(?!index\\.ts$)' },
    },
    ...inOrder('src/access', [
      ['migrations', 'acl', 'model'],
      ['operation'],
      ['policies', 'identity'],
      ['tokens'],
      ['mounts'],
      ['method'],
      ['authorization', 'cert', 'jwt', 'leases', 'wrapping', 'sys', 'openapi'],
      ['pipeline'],
    ]),
    ...withFaces('src/access', [
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
    ...inOrder('src/access/acl', [['language']]),
    ...inOrder('src/access/identity', [['common'], ['alias'], ['group'], ['entity']]),
    ...inOrder('src/access/tokens', [['role'], ['lifecycle'], ['lookup', 'creation'], ['renewal']]),
    ...inOrder('src/access/cert', [
      ['settings'],
      ['constraint', 'intermediate'],
      ['role'],
      ['admission'],
      ['crl', 'explain'],
    ]),
    ...withFaces('src/access/cert', ['crl']),
    ...inOrder('src/access/jwt', [['settings'], ['admission'], ['explain']]),
    {
      name: 'the-program-knows-no-page',
      severity: 'error',
      from: { path: '^src' },
      to: { path: '^console/' },
    },
    {
      name: 'what-the-program-is-made-of',
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
