import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobs } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type FakeProvider, type FakePull, type FakeRepository, fakeGitea } from '../../../support/vcs/fake-github.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { lookUp, messagesIn, newConnection, workOff } from '../support/vcs.ts';

/** More than the list of open pull requests of a provider has. */
const OPEN = 340;
const OLDEST = 40;

describe.each(databaseKinds)('a repository with more open pull requests than are listed, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let fake: FakeProvider;
  let repository: FakeRepository;
  let workspace: string;
  beforeAll(async () => {
    fake = await fakeGitea();
    api = await startApi(kind, FileBlobs, {}, 'none', undefined, { allowedAddresses: ['127.0.0.1'] });
    acme = await newOrganization(api);
    const token = await newConnection(api, acme, fake.httpUrl, {
      ...{ 'service-provider': 'gitea', 'api-url': fake.apiUrl, 'oauth-token-string': fake.token },
    });
    repository = await fake.createRepository('acme/busy');
    const headId = await repository.git.id();
    for (let number = 1; number <= OPEN; number++) {
      const texts = { title: 'a', body: '', state: 'open', isMerged: false, isDraft: false } as const;
      const refs = { baseRef: 'elsewhere', head: repository, headRef: `p-${number}`, headId, mergeBase: headId };
      repository.pulls.push({ number, ...texts, ...refs, updatedAt: number });
    }
    workspace = await acme.workspace('busy', {
      'queue-all-runs': true,
      'vcs-repo': { identifier: 'acme/busy', branch: 'main', 'oauth-token-id': token },
    });
    await workOff(api);
    // The oldest come into the list, and others leave it.
    for (const pull of repository.pulls.slice(0, OLDEST)) pull.updatedAt += OPEN;
    await lookUp(api);
  });
  afterAll(async () => {
    await api.close();
    await fake.stop();
  });

  /** Returns the numbers of pull requests that one look-up asks for one by one. */
  const asked = async (): Promise<number[]> => {
    fake.server.requests.length = 0;
    await lookUp(api);
    return fake.server.requests.flatMap(({ path }) => /\/pulls\/(\d+)$/.exec(path)?.[1] ?? []).map(Number);
  };

  test('is looked up once a minute, and asked for all the others in turn', async () => {
    const seen = new Set<number>();
    for (let minute = 0; minute < 6; minute++) {
      const numbers = await asked();
      expect(numbers.length).toBeLessThanOrEqual(20);
      for (const number of numbers) seen.add(number);
    }
    expect(seen.size).toBe(OLDEST);
    expect(await messagesIn(acme, workspace)).toEqual(['first']);
  });

  test('those that the provider has deleted are asked for once', async () => {
    const isListed = ({ updatedAt }: FakePull) => updatedAt > OPEN - 300 + OLDEST;
    const kept = repository.pulls.filter(isListed);
    repository.pulls.splice(0, repository.pulls.length, ...kept);
    const numbers = [...(await asked()), ...(await asked()), ...(await asked())];
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(await asked()).toEqual([]);
  });
});
