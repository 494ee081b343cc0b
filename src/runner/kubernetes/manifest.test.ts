import { expect, test } from 'vitest';
import { DEFAULT_BOUNDS } from '../../lib/job/bounds.ts';
import { type Assignment, jobManifest, secretManifest } from './manifest.ts';
import { agentLabel, nameOf } from './names.ts';
import type { KubernetesSettings } from './settings.ts';

const TOKEN = 'lkj.plan-CZcmD7eagjhyX0vN.1.secret';
const assignment: Assignment = {
  ...{ name: nameOf('plan-CZcmD7eagjhyX0vN', TOKEN), jobId: 'plan-CZcmD7eagjhyX0vN', runId: 'run-1' },
  ...{ workspace: 'acme/network', timeout: 7200 },
  ...{ agentLabel: agentLabel('https://x', 'rack-7'), agentName: 'rack-7', agentId: 'agent-1' },
  ...{ address: 'https://lockkeeper.example.com', ca: 'PEM' },
};
const settings: KubernetesSettings = {
  ...{ kubeconfig: null, namespace: 'runs', image: 'runner:1', imagePullPolicy: null, imagePullSecrets: [] },
  ...{ command: ['lockkeeper'], args: [], isolation: 'none', serviceAccount: null },
  ...{ resources: { requests: {}, limits: {} }, bounds: DEFAULT_BOUNDS, nodeSelector: {}, tolerations: [] },
  labels: { 'lockkeeper.dev/agent': 'another', team: 'x' },
  annotations: { 'karpenter.sh/do-not-disrupt': 'false' },
  ...{ priorityClass: null, runtimeClass: null, seccompProfile: 'RuntimeDefault', user: 1000 },
  ...{ keptStatesClaim: null, startTimeout: 600, ttlAfterFinished: 3600 },
};

test('a Job runs once and has a deadline', () => {
  expect(jobManifest(assignment, settings).spec).toMatchObject({
    ...{ backoffLimit: 0, completions: 1, parallelism: 1, podReplacementPolicy: 'Failed' },
    ...{ activeDeadlineSeconds: 600 + 7200 + 900 + 180, ttlSecondsAfterFinished: 3600 },
    template: { spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 180 } },
  });
});

test('its pod has no other permissions', () => {
  const spec = jobManifest(assignment, settings).spec?.template.spec;
  expect(spec).toMatchObject({
    ...{ automountServiceAccountToken: false, enableServiceLinks: false },
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  });
  expect(spec?.containers[0]?.securityContext).toEqual({
    ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  });
});

test('its token is only in its Secret', () => {
  expect(JSON.stringify(jobManifest(assignment, settings))).not.toContain('lkj.');
  const secret = secretManifest(assignment, TOKEN, 'uid-1');
  expect(secret).toMatchObject({ immutable: true, stringData: { token: TOKEN, 'ca.pem': 'PEM' } });
  expect(secret.metadata?.ownerReferences).toEqual([
    { apiVersion: 'batch/v1', kind: 'Job', name: assignment.name, uid: 'uid-1' },
  ]);
});

test('settings cannot override labels, but can override the annotations for autoscalers', () => {
  const { metadata, spec } = jobManifest(assignment, settings);
  expect(metadata?.labels).toMatchObject({ 'lockkeeper.dev/agent': assignment.agentLabel, team: 'x' });
  expect(spec?.template.metadata?.annotations).toMatchObject({
    'karpenter.sh/do-not-disrupt': 'false',
    'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
  });
});

test('pods leave an unresponsive node soon, unless settings say otherwise', () => {
  const tolerations = (own: KubernetesSettings['tolerations']) =>
    jobManifest(assignment, { ...settings, tolerations: own }).spec?.template.spec?.tolerations;
  expect(tolerations([])?.map(({ key, tolerationSeconds }) => [key, tolerationSeconds])).toEqual([
    ['node.kubernetes.io/unreachable', 60],
    ['node.kubernetes.io/not-ready', 60],
  ]);
  expect(tolerations([{ key: 'node.kubernetes.io/unreachable', operator: 'Exists' }])).toHaveLength(2);
});

test('each claim of a job has one Job name', () => {
  expect(assignment.name).toMatch(/^lockkeeper-plan-czcmd7eagjhyx0vn-[0-9a-f]{10}$/);
  expect(nameOf('plan-CZcmD7eagjhyX0vN', TOKEN)).toBe(assignment.name);
  expect(nameOf('plan-CZcmD7eagjhyX0vN', 'lkj.2')).not.toBe(assignment.name);
  expect(nameOf('plan-cZcmD7eagjhyX0vN', TOKEN)).not.toBe(assignment.name);
  expect(nameOf(`plan-${'x'.repeat(64)}`, TOKEN).length).toBeLessThan(58);
});

test('the bounds of a job limit its pod, unless the cluster settings override them', () => {
  const podOf = (more: Partial<KubernetesSettings>) =>
    jobManifest(assignment, { ...settings, ...more }).spec?.template.spec;
  const bounds = { ...DEFAULT_BOUNDS, memory: 1024, disk: 2048, processes: 99, cpus: 2 };
  const pod = podOf({ bounds });
  expect(pod?.containers[0]?.resources).toEqual({
    requests: { memory: '512Mi', cpu: '100m' },
    limits: { memory: '1536Mi', cpu: '2' },
  });
  expect(pod?.volumes?.find(({ name }) => name === 'work')?.emptyDir).toEqual({ sizeLimit: '3072Mi' });
  const args = pod?.containers[0]?.args?.join(' ');
  expect(args).toContain('--job-memory 1024 --job-processes 99 --job-disk 2048');
  expect(podOf({})?.containers[0]?.args?.join(' ')).not.toContain('--job-memory');
  const own = podOf({ bounds, resources: { requests: {}, limits: { memory: '3Gi', 'example.com/gpu': '1' } } });
  expect(own?.containers[0]?.resources).toEqual({
    requests: { cpu: '100m' },
    limits: { memory: '3Gi', cpu: '2', 'example.com/gpu': '1' },
  });
});
