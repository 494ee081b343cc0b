import { type FakeProvider, fakeGitea, fakeGitHub } from './fake-github.ts';
import { fakeAzure, fakeBitbucketCloud, fakeBitbucketServer, fakeGitLab } from './fake-others.ts';

/** An adapter with the fake of its provider, for the tests that hold for all of them. */
export interface AdapterCase {
  /** Name of the service provider. */
  readonly serviceProvider: string;
  readonly start: () => Promise<FakeProvider>;
  /** Full name of a repository, as people write it. */
  readonly fullName: string;
  /** User name for Git. */
  readonly gitUser: string;
  /** Added to the API URL of the fake: a connection to one organization. */
  readonly apiPath?: string;
  /** Whether a credential without access to accounts has one without a name. */
  readonly hasNamelessAccounts?: boolean;
  /** Whether a delivery is proved by the secret itself instead of a signature of the body. */
  readonly sendsSecret?: boolean;
}

/** All adapters whose providers have an API. A new one is a new line. */
export const ADAPTERS: readonly AdapterCase[] = [
  { serviceProvider: 'github', start: fakeGitHub, fullName: 'acme/mono', gitUser: 'x-access-token' },
  { serviceProvider: 'gitea', start: fakeGitea, fullName: 'acme/mono', gitUser: 'x-access-token' },
  {
    ...{ serviceProvider: 'gitlab_hosted', start: fakeGitLab, fullName: 'acme/platform/eu/mono', gitUser: 'oauth2' },
    sendsSecret: true,
  },
  {
    ...{ serviceProvider: 'bitbucket_hosted', start: fakeBitbucketCloud, fullName: 'acme/mono' },
    ...{ gitUser: 'x-token-auth', hasNamelessAccounts: true },
  },
  {
    ...{ serviceProvider: 'bitbucket_data_center', start: fakeBitbucketServer, fullName: 'ACME/mono' },
    gitUser: 'x-token-auth',
  },
  {
    ...{ serviceProvider: 'ado_services', start: fakeAzure, fullName: 'acme/My App/_git/mono', gitUser: '' },
    sendsSecret: true,
  },
  {
    ...{ serviceProvider: 'ado_server', start: fakeAzure, fullName: 'acme/app/_git/mono', gitUser: '' },
    ...{ apiPath: '/acme', sendsSecret: true },
  },
];
