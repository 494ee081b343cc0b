import { AZURE } from './azure-api.ts';
import { BITBUCKET_CLOUD } from './bitbucket-cloud-api.ts';
import { BITBUCKET_SERVER } from './bitbucket-server-api.ts';
import { type FakeProvider, startFake } from './fake-github.ts';
import { GITLAB } from './gitlab-api.ts';

export const fakeGitLab = (): Promise<FakeProvider> => startFake('gitlab', GITLAB);
export const fakeBitbucketCloud = (): Promise<FakeProvider> => startFake('bitbucket-cloud', BITBUCKET_CLOUD);
export const fakeBitbucketServer = (): Promise<FakeProvider> => startFake('bitbucket-server', BITBUCKET_SERVER);
/** Full names of its repositories are `organization/project/_git/repository`. */
export const fakeAzure = (): Promise<FakeProvider> => startFake('azure', AZURE);
