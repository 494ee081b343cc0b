import { expect } from 'vitest';
import {
  apiSource,
  type Choices,
  Connection,
  chosen,
  migrateOrganization,
  type OrganizationSource,
  openJournal,
  type Report,
  type StateChoice,
} from '../../../src/migration/index.ts';
import type { Dialect } from '../../../src/storage/index.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

/** Two servers: one that is left, and one that is moved to. */
export interface TwoServers {
  readonly old: TestServer;
  readonly fresh: TestServer;
  stop(): Promise<void>;
}

export async function startTwoServers(kind: Dialect): Promise<TwoServers> {
  const [old, fresh] = [await startTestServer(kind), await startTestServer(kind)];
  return {
    ...{ old, fresh },
    stop: async () => {
      await old.stop();
      await fresh.stop();
    },
  };
}

/** Connects as the first user. Waits are not waited for. */
export const connect = ({ address, ca, userToken: token }: TestServer, waits: number[] = []): Connection =>
  new Connection({ address, ca, token, wait: async (ms) => void waits.push(ms) });

export interface SourceChoices {
  readonly states?: StateChoice;
  readonly workspaces?: string;
  readonly project?: string;
  readonly locksSource?: boolean;
  readonly organization?: string;
}

export const sourceOf = (connection: Connection, choices: SourceChoices = {}): Promise<OrganizationSource> =>
  apiSource({ connection, organization: 'acme', states: 'newest', locksSource: false, ...choices });

const ALL: Choices = { followsRepositories: true, invites: true };

/** Moves a source into the organization `moved`. */
export function moveTo(
  server: TestServer,
  source: OrganizationSource,
  options: {
    readonly isApplied?: boolean;
    readonly choices?: Choices;
    readonly secret?: string;
    readonly journals?: string;
  } = {},
): Promise<Report> {
  const { isApplied = true, choices = ALL, secret, journals } = options;
  return migrateOrganization(
    chosen(source, choices),
    { connection: connect(server), organization: 'moved' },
    {
      ...{ isApplied, secretValue: () => secret, onProgress: () => {} },
      openJournal: journals === undefined ? undefined : (key) => openJournal(journals, key),
    },
  );
}

/** Creates a resource as the first user. Returns its document. */
export async function made(
  server: TestServer,
  path: string,
  type: string,
  attributes: object,
  relationships: object = {},
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
): Promise<any> {
  const answer = await server.user('POST', `/api/v2${path}`, { data: { type, attributes, relationships } });
  expect([200, 201, 204], `${path} ${answer.text}`).toContain(answer.status);
  return answer.body?.data;
}
