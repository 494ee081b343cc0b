import { execFile, execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { packChart } from '../../../build/release/archives.ts';
import { loadAgentConfig, loadConfig } from '../../../src/config/index.ts';
import install, { installed } from './installation.ts';

const CHARTS = fileURLToPath(new URL('../../../deploy/helm', import.meta.url));
const SOME_FILE = fileURLToPath(new URL('./tools/helm.json', import.meta.url));
const KUBERNETES = '1.34.3';
const run = promisify(execFile);

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was rendered
type Rendered = any;

/** Rejects with the output of helm. */
async function template(chart: string, values: string, ...flags: string[]): Promise<string> {
  return templateOf(`${CHARTS}/${chart}`, chart, values, ...flags);
}

/** @param place folder or archive of the chart */
async function templateOf(place: string, chart: string, values: string, ...flags: string[]): Promise<string> {
  const args = ['template', 'prod', place, '--namespace', 'lockkeeper', '--kube-version', KUBERNETES];
  const { stdout } = await run(installed.helm, [...args, '--values', `${CHARTS}/${chart}/ci/${values}`, ...flags]);
  return stdout;
}

const objectsOf = (text: string): Rendered[] =>
  parseAllDocuments(text).flatMap((document) => (document.contents === null ? [] : [document.toJS()]));

async function rendered(chart: string, values: string, ...flags: string[]) {
  const objects = objectsOf(await template(chart, values, ...flags));
  return (kind: string, name?: string): Rendered =>
    objects.find((one) => one.kind === kind && (name === undefined || one.metadata.name === name));
}

/**
 * Validates objects with the schemas of their kinds.
 * @returns the errors
 */
function conform(text: string): string[] {
  const location = `${installed.schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`;
  const args = ['-strict', '-output', 'json', '-schema-location', location, '-'];
  let output: string;
  try {
    output = execFileSync(installed.kubeconform, args, {
      input: text,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    output = (error as { stdout: string }).stdout;
  }
  const { resources = [] } = JSON.parse(output) as { resources?: { kind: string; msg: string }[] };
  return resources.map(({ kind, msg }) => `${kind}: ${msg}`);
}

beforeAll(install, 600_000);

const sets = globSync('*/ci/*-values.yaml', { cwd: CHARTS }).map((path) => [path.split('/')[0] ?? '', basename(path)]);

describe('the charts', () => {
  test.each(['lockkeeper', 'lockkeeper-agent'])(
    '%s: helm renders the archive of a release as the folder',
    async (chart) => {
      const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-chart-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const archive = join(folder, 'chart.tgz');
      await packChart(join(CHARTS, chart), archive);
      const [, values = ''] = sets.find(([name]) => name === chart) ?? [];
      expect(await templateOf(archive, chart, values)).toBe(await template(chart, values));
    },
  );

  test('have six sets of values for the server, and two for the agent', () => {
    expect(sets.filter(([chart]) => chart === 'lockkeeper')).toHaveLength(6);
    expect(sets.filter(([chart]) => chart === 'lockkeeper-agent')).toHaveLength(2);
  });

  test.each(sets)('%s, %s: helm lint passes, and the Kubernetes schemas accept all objects', async (chart, values) => {
    const flags = ['--strict', '--kube-version', KUBERNETES, '--values', `${CHARTS}/${chart}/ci/${values}`];
    await run(installed.helm, ['lint', `${CHARTS}/${chart}`, ...flags]);
    expect(conform(await template(chart, values))).toEqual([]);
  });

  test('are validated with schemas that find errors', async () => {
    const text = await template('lockkeeper', 'monitored-values.yaml');
    expect(conform(text.replace('periodSeconds: 5', 'periodSecond: 5'))).toEqual([
      expect.stringContaining('periodSecond'),
    ]);
    expect(conform(text.replace('type: ClusterIP', 'type: 3'))).toEqual([expect.stringMatching(/^Service: /)]);
    expect(conform(text.replace('endpoints:', 'endpoint:'))).toEqual([expect.stringMatching(/^ServiceMonitor: /)]);
  });

  test.each(['lockkeeper', 'lockkeeper-agent'])('%s has the version of the program', (chart) => {
    const { version } = JSON.parse(readFileSync(`${CHARTS}/../../package.json`, 'utf8'));
    expect(parse(readFileSync(`${CHARTS}/${chart}/Chart.yaml`, 'utf8'))).toMatchObject({
      version,
      appVersion: version,
    });
  });
});

describe('the chart of the server', () => {
  const ofServer = sets.filter(([chart]) => chart === 'lockkeeper').map(([, values]) => values ?? '');

  test.each(ofServer)('%s: has settings that the server accepts, and no secret in them', async (values) => {
    const get = await rendered('lockkeeper', values);
    // Secret that is mounted there.
    const file = get('ConfigMap').data['lockkeeper.yaml'].replace('/run/secrets/sign-in/secret', SOME_FILE);
    const env: { name: string; value?: string; valueFrom?: object }[] = containerOf(get).env ?? [];
    const environment = Object.fromEntries(
      env.map(({ name, value }) => [name, value ?? (name.endsWith('_URL') ? 'postgres://a:b@c/d' : 'given')]),
    );
    const config = loadConfig({ file, environment, flags: [] }, '/etc/lockkeeper');
    expect(config.listeners.map(({ port, tls }) => [port, tls !== undefined])).toEqual([
      [8200, true],
      [9200, false],
    ]);
    expect(config.keyring.file).toBe('/run/secrets/lockkeeper/keyring.json');
    expect(env.filter(({ name, value }) => name.startsWith('LOCKKEEPER_') && value !== undefined)).toEqual([]);
  });

  test.each(ofServer)('%s: runs without privileges and may write only where it has to', async (values) => {
    const pod = (await rendered('lockkeeper', values))('Deployment').spec.template.spec;
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(pod.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const writable = pod.containers[0].volumeMounts.filter((one: Rendered) => !one.readOnly);
    expect(writable.map(({ mountPath }: Rendered) => mountPath)).toEqual(['/tmp', '/data']);
  });

  test('no probe kills a server before it was ready, and the load balancer sees at once that it stops', async () => {
    const get = await rendered('lockkeeper', 'postgres-values.yaml', '--set', 'startup.minutes=90');
    const { startupProbe, readinessProbe, livenessProbe } = containerOf(get);
    expect(startupProbe.httpGet.path).toBe('/healthz/ready');
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBe(90 * 60);
    expect(get('Deployment').spec.progressDeadlineSeconds).toBeGreaterThan(90 * 60);
    expect(readinessProbe).toMatchObject({ httpGet: { path: '/healthz/ready' }, failureThreshold: 1 });
    expect(livenessProbe.httpGet.path).toBe('/healthz/live');
    // limits.lame_duck and limits.shutdown_grace.
    expect(get('Deployment').spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(5 + 30);
  });

  test('pods are replaced when the settings change, and only then', async () => {
    const sum = async (...flags: string[]) =>
      (await rendered('lockkeeper', 'sqlite-values.yaml', ...flags))('Deployment').spec.template.metadata.annotations;
    expect(await sum()).toEqual(await sum('--set', 'service.port=8443'));
    expect(await sum()).not.toEqual(await sum('--set', 'config.log.level=warn'));
  });

  test.each([
    ['several nodes on SQLite', ['replicas=2'], 'replicas: more than one takes database.type postgres'],
    [
      'several nodes, each with states of its own',
      ['replicas=2', 'database.type=postgres', 'database.existingSecret=db'],
      'replicas: more than one takes blobs.type s3',
    ],
    ['no address of PostgreSQL', ['database.type=postgres'], 'database.existingSecret: name the Secret'],
    ['no bucket', ['blobs.type=s3'], 'blobs.bucket: name the bucket'],
    ['no region', ['blobs.type=s3', 'blobs.bucket=states'], 'blobs.region: say where the bucket is'],
    ['no keyring', ['keyring.existingSecret='], "'/keyring/existingSecret'"],
    ['no certificate', ['tls.existingSecret='], "'/tls/existingSecret'"],
    ['an unknown value', ['replica=2'], "additional properties 'replica' not allowed"],
    [
      'a rule file that is none',
      ['metrics.prometheusRule.enabled=true', 'metrics.prometheusRule.file=alerts'],
      'it is no rule file',
    ],
  ])('says what is wrong: %s', async (_name, set, message) => {
    const flags = set.flatMap((one) => ['--set', one]);
    await expect(template('lockkeeper', 'sqlite-values.yaml', ...flags)).rejects.toThrow(message);
  });

  test('one node on SQLite stops before the next starts; several nodes are replaced without a gap', async () => {
    const strategy = async (values: string) => (await rendered('lockkeeper', values))('Deployment').spec.strategy;
    expect(await strategy('sqlite-values.yaml')).toEqual({ type: 'Recreate' });
    expect(await strategy('postgres-values.yaml')).toMatchObject({ rollingUpdate: { maxUnavailable: 0 } });
  });

  test('only the named peers can read metrics, and the Prometheus Operator finds them', async () => {
    const closed = (await rendered('lockkeeper', 'sqlite-values.yaml'))('NetworkPolicy').spec;
    expect(closed.ingress).toEqual([{ ports: [{ protocol: 'TCP', port: 'https' }] }]);
    const get = await rendered('lockkeeper', 'monitored-values.yaml');
    expect(get('NetworkPolicy').spec.ingress[1].ports).toEqual([{ protocol: 'TCP', port: 'metrics' }]);
    const { jobLabel, selector, endpoints } = get('ServiceMonitor').spec;
    const service = get('Service', 'prod-lockkeeper-metrics');
    expect(service.metadata.labels).toMatchObject(selector.matchLabels);
    // Names that the alert rules and the dashboard query.
    expect(service.metadata.labels[jobLabel]).toBe('lockkeeper');
    expect(service.spec.ports.map(({ name }: Rendered) => name)).toEqual([endpoints[0].port]);
    expect(get('Service', 'prod-lockkeeper').metadata.labels).not.toMatchObject(selector.matchLabels);
    expect(get('PrometheusRule').spec.groups).toMatchObject([{ rules: [{ alert: 'LockkeeperDown' }] }]);
  });

  test('custom alert rules are used unchanged', async () => {
    const rules = fileURLToPath(new URL('../../../docs/operations/monitoring/alerts.yaml', import.meta.url));
    const flags = ['--set-file', `metrics.prometheusRule.file=${rules}`];
    const { groups } = (await rendered('lockkeeper', 'monitored-values.yaml', ...flags))('PrometheusRule').spec;
    expect(groups.slice(1)).toEqual(parse(readFileSync(rules, 'utf8')).groups);
  });
});

const containerOf = (get: (kind: string) => Rendered): Rendered => get('Deployment').spec.template.spec.containers[0];

describe('the chart of the agent', () => {
  test.each(['certificate-values.yaml', 'token-values.yaml'])(
    '%s: has settings that the agent accepts',
    async (values) => {
      const get = await rendered('lockkeeper-agent', values);
      const file = { text: get('ConfigMap').data['agent.yaml'], folder: '/etc/lockkeeper' };
      const config = loadAgentConfig({ file, environment: {}, flags: {} }, true);
      expect(config.kubernetes).toMatchObject({ namespace: 'runs', image: 'registry.example.com/runner:3' });
    },
  );

  test('it may create Jobs and Secrets in the namespace of the runs, and nothing else', async () => {
    const get = await rendered('lockkeeper-agent', 'certificate-values.yaml');
    const { metadata, rules } = get('Role');
    expect(metadata.namespace).toBe('runs');
    expect(rules.map(({ resources, verbs }: Rendered) => [resources.join(), verbs.join()])).toEqual([
      ['jobs', 'create,get,list,delete'],
      ['secrets', 'create'],
      ['pods,events', 'list'],
    ]);
    expect(get('RoleBinding').subjects).toEqual([
      { kind: 'ServiceAccount', name: 'prod-lockkeeper-agent', namespace: 'lockkeeper' },
    ]);
    expect((await rendered('lockkeeper-agent', 'token-values.yaml'))('Role')).toBeUndefined();
  });

  test.each([
    ['nobody', ['certificate.existingSecret='], 'certificate.existingSecret: name the Secret'],
    ['two at once', ['token.existingSecret=pool'], 'one of them says who the agent is, not both'],
    ['no namespace for runs', ['runs.namespace='], "'/runs/namespace'"],
    ['an address without TLS', ['address=http://lockkeeper.example.com'], "'/address'"],
  ])('says what is wrong: %s', async (_name, set, message) => {
    const flags = set.flatMap((one) => ['--set', one]);
    await expect(template('lockkeeper-agent', 'certificate-values.yaml', ...flags)).rejects.toThrow(message);
  });
});
