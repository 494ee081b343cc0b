/** A sample workspace: its settings on the wire, and its tags, lock and project. */
export interface DemoWorkspace {
  readonly name: string;
  /** Default: the organization's default project. */
  readonly project?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly tags?: readonly string[];
  readonly bindings?: Readonly<Record<string, string>>;
  readonly lockedBecause?: string;
}

export const DEMO_PROJECTS = ['Network', 'Applications'] as const;

/** Twelve sample workspaces with different settings. */
export const DEMO_WORKSPACES: readonly DemoWorkspace[] = [
  {
    name: 'network-production',
    project: 'Network',
    settings: { description: 'VPCs, subnets and peering', 'execution-mode': 'local', 'global-remote-state': true },
    tags: ['network', 'production'],
    bindings: { env: 'production', tier: '0' },
  },
  {
    name: 'network-staging',
    project: 'Network',
    settings: { 'execution-mode': 'local' },
    tags: ['network', 'staging'],
    bindings: { env: 'staging' },
  },
  {
    name: 'dns',
    project: 'Network',
    settings: { description: 'Zones and records', 'auto-apply': true },
    tags: ['network'],
    lockedBecause: 'registrar migration until Friday',
  },
  {
    name: 'firewall',
    project: 'Network',
    tags: ['network', 'security'],
    bindings: { env: 'production', owner: 'secops' },
  },
  {
    name: 'shop-production',
    project: 'Applications',
    settings: { 'execution-mode': 'local', 'engine-version': '~> 1.10.0', 'working-directory': 'deploy/production' },
    tags: ['app:shop', 'production'],
    bindings: { app: 'shop', env: 'production' },
    lockedBecause: 'release freeze',
  },
  {
    name: 'shop-staging',
    project: 'Applications',
    settings: { 'execution-mode': 'local', 'engine-version': '~> 1.10.0', 'working-directory': 'deploy/staging' },
    tags: ['app:shop', 'staging'],
    bindings: { app: 'shop', env: 'staging' },
  },
  {
    name: 'shop-preview-142',
    project: 'Applications',
    settings: { 'auto-destroy-activity-duration': '2d', 'queue-all-runs': true },
    tags: ['app:shop', 'preview'],
  },
  {
    name: 'payments',
    project: 'Applications',
    settings: { description: 'Talk to the payments team before you change anything', 'allow-destroy-plan': false },
    tags: ['app:payments', 'pci', 'production'],
    bindings: { app: 'payments', env: 'production' },
  },
  { name: 'monitoring', project: 'Applications', settings: { 'speculative-enabled': false }, tags: ['observability'] },
  { name: 'identity', settings: { 'execution-mode': 'local' }, tags: ['security'] },
  { name: 'backups', settings: { 'trigger-patterns': ['backups/**/*.tf'] }, bindings: { schedule: 'nightly' } },
  { name: 'sandbox' },
];
