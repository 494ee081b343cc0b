import type { Config } from '../../config/index.ts';
import { cheapSubjects, type Diagnosis, diagnose, type ListFacts, type Site } from '../../diagnosis/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { HealthDetail } from '../../server/index.ts';
import { workFacts } from '../../workspaces/index.ts';
import type { Domains } from '../domains.ts';
import { backupFacts, stateOf } from './config-site.ts';

/** @limit one check of `/healthz/ready?verbose`, ms -> the check fails, the others continue */
const CHECK_MS = 2_000;

/** Checks of a running server. Their texts contain nothing confidential, because any client may read them. */
export function detailsOf(config: Config, domains: Domains, clock: Clock): () => Promise<readonly HealthDetail[]> {
  const site = siteOfServer(config, domains, clock);
  const subjects = cheapSubjects(config);
  return async () => {
    const details: HealthDetail[] = [];
    for await (const diagnosis of diagnose(site, subjects, CHECK_MS)) details.push(subjectDetail(diagnosis));
    return details;
  };
}

function siteOfServer(config: Config, { databases, access, workspaces: _, blobStore }: Domains, clock: Clock): Site {
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
    work: () => workFacts(databases.workspaces, clock()),
    issuers: async () => [],
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

const subjectDetail = ({ name, status, parts = [] }: Diagnosis): HealthDetail => ({
  ...{ name, status },
  parts: parts.map(checkDetail),
});

/** A passed check gives no details, and no single object is named. */
function checkDetail({ name, status, found, parts = [] }: Diagnosis): HealthDetail {
  if (status === 'success' || status === 'skipped') return { name, status };
  const bad = parts.filter((part) => part.status === 'failure' || part.status === 'warning').length;
  return { name, status, found: found ?? `${bad} of ${parts.length}` };
}
