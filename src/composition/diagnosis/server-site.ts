import type { Config } from '../../config/index.ts';
import {
  cheapSubjects,
  type Diagnosis,
  diagnose,
  type ListFacts,
  type Site,
  type Subject,
  type TaskFacts,
} from '../../diagnosis/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { HealthDetail } from '../../server/index.ts';
import { vcsFacts, workFacts } from '../../workspaces/index.ts';
import type { ClusterTask, ClusterTasks } from '../background/cluster-tasks.ts';
import type { Domains } from '../domains.ts';
import { backupFacts, stateOf } from './config-site.ts';

/** @limit one check of `/healthz/ready?verbose`, ms -> the check fails, the others continue */
const CHECK_MS = 2_000;

/** Checks of a running server. Their texts contain nothing confidential, because any client may read them. */
export function detailsOf(
  config: Config,
  domains: Domains,
  tasks: ClusterTasks,
  clock: Clock,
): () => Promise<readonly HealthDetail[]> {
  const site = siteOfServer(config, domains, tasks, clock);
  const subjects = cheapSubjects(config);
  return async () => {
    const details: HealthDetail[] = [];
    for await (const { name, status, parts = [] } of diagnose(site, subjects, CHECK_MS)) {
      const isPublic = (check: string) =>
        subjects.some((subject) => subject.name === name && hasPublicNames(subject, check));
      details.push({ name, status, parts: parts.map((part) => checkDetail(part, isPublic(part.name))) });
    }
    return details;
  };
}

function siteOfServer(
  config: Config,
  { databases, access, workspaces: _, blobStore }: Domains,
  tasks: ClusterTasks,
  clock: Clock,
): Site {
  return {
    ...{ config, clock, configFile: undefined, nodes: undefined, isThorough: false },
    stores: async () => databases,
    schema: () => stateOf(databases),
    blobs: async () => blobStore,
    listeners: async () => [],
    lists: async () =>
      (await access.revocationMetrics()).flatMap(({ mount, crls }) =>
        crls.map((list) => factsOf(mount, list, clock())),
      ),
    responders: async () => [],
    backups: () => backupFacts(databases.workspaces, clock),
    tasks: async () => (await tasks.list()).map(factsOfTask),
    work: () => workFacts(databases.workspaces, clock()),
    vcs: () => vcsFacts(databases.workspaces),
    issuers: async () => [],
    mail: async () => undefined,
  };
}

/** Checks a cached CRL, which knows whether it is overdue. */
function factsOf(
  mount: string,
  { name, age, stale, failures }: { name: string; age: number; stale: boolean; failures: number },
  now: number,
): ListFacts {
  const nextUpdate = stale ? now - 1 : undefined;
  return {
    ...{ mount, name, failures, nextUpdate },
    url: null,
    fetchedAt: now - age * 1000,
    lastError: null,
    refusesStale: false,
  };
}

const factsOfTask = ({ definition, found, problem }: ClusterTask): TaskFacts => ({
  ...{ name: definition.name, found },
  isBad: problem !== undefined,
});

const hasPublicNames = ({ checks }: Subject, check: string) =>
  checks.some(({ name, hasPublicNames: isPublic }) => name === check && isPublic);

/**
 * A passed check gives no details, and no single object is named.
 * @param isPublic whether the names of its parts are constants of the program; then each part is shown
 */
function checkDetail({ name, status, found, parts = [] }: Diagnosis, isPublic: boolean): HealthDetail {
  if (isPublic) return { name, status, parts: parts.map(publicDetail) };
  if (status === 'success' || status === 'skipped') return { name, status };
  const bad = parts.filter((part) => part.status === 'failure' || part.status === 'warning').length;
  return { name, status, found: found ?? `${bad} of ${parts.length}` };
}

const publicDetail = ({ name, status, found = '' }: Diagnosis): HealthDetail => ({ name, status, found });
