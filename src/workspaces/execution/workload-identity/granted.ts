import { aws } from './cloud/aws.ts';
import { azure } from './cloud/azure.ts';
import type { Cloud, Grant } from './cloud/cloud.ts';
import { gcp } from './cloud/gcp.ts';
import { hcp } from './cloud/hcp.ts';
import { kubernetes } from './cloud/kubernetes.ts';
import { vault } from './cloud/vault.ts';
import type { JobIdentity } from './job-identity.ts';
import { Incomplete, Settings, tagsOf, type Variables } from './settings.ts';

/**
 * Maximum number of signed tokens for one job.
 * @limit identity tokens of one job, tokens -> the run fails with a message
 */
export const MAX_TOKENS = 50;

const CLOUDS: readonly Cloud[] = [aws, azure, gcp, vault, kubernetes, hcp];
const AUDIENCE = 'TFC_WORKLOAD_IDENTITY_AUDIENCE';
const TOKEN = 'TFC_WORKLOAD_IDENTITY_TOKEN';

/** Requested identity: a plain token, or credentials for a cloud. */
export type IdentityRequest =
  | { readonly cloud: null; readonly tag: string; readonly audience: string }
  | { readonly cloud: Cloud; readonly settings: Settings; readonly audience: string };

/**
 * Returns the identities that a workspace's variables request for a phase.
 * @throws Incomplete for too many requests or a missing variable
 */
export function wantedBy(variables: Variables, phase: 'plan' | 'apply'): IdentityRequest[] {
  const clouds = CLOUDS.flatMap((cloud) => {
    const tags = tagsOf(variables, `TFC_${cloud.name}_PROVIDER_AUTH`);
    const on = tags.filter((tag) => variables.get(`TFC_${cloud.name}_PROVIDER_AUTH${tag && `_${tag}`}`) === 'true');
    return on.map((tag) => ({ cloud, settings: new Settings(variables, cloud.name, tag, phase) }));
  });
  const own = tagsOf(variables, AUDIENCE)
    .map((tag) => ({ cloud: null, tag, audience: variables.get(`${AUDIENCE}${tag && `_${tag}`}`) ?? '' }))
    .filter(({ audience }) => audience !== '');
  if (own.length + clouds.length > MAX_TOKENS) {
    throw new Incomplete(`The workspace requests more than ${MAX_TOKENS} identity tokens`);
  }
  return [...own, ...clouds.map((one) => ({ ...one, audience: one.cloud.audience(one.settings) }))];
}

/** A requested identity with its token. */
export type Answered = IdentityRequest & { readonly token: string };

/** Builds the engine's environment and files. @throws Incomplete */
export function granted(answered: readonly Answered[], runId: string): JobIdentity {
  const own = answered.filter((one) => one.cloud === null);
  const environment = own.map(({ tag, token }): [string, string] => [`${TOKEN}${tag && `_${tag}`}`, token]);
  const grants = CLOUDS.map((cloud) => {
    const ofCloud = answered.filter((one) => one.cloud !== null && one.cloud === cloud);
    return ofCloud.flatMap((one) =>
      one.cloud === null ? [] : [{ cloud, tag: one.settings.tag, grant: cloud.grant(one.settings, one.token, runId) }],
    );
  });
  const all = grants.flat();
  return {
    problem: null,
    environment: Object.assign(Object.fromEntries(environment), ...grants.map(environmentOf)),
    files: all.flatMap(({ grant }) => grant.files),
    logins: grants.flatMap(loginsOf),
    secrets: answered.map(({ token }) => token),
  };
}

interface OfTag {
  readonly cloud: Cloud;
  readonly tag: string;
  readonly grant: Grant;
}

/**
 * If there are tags, no environment variables are set, because they would override all configurations of the provider.
 */
const hasTags = (grants: readonly OfTag[]): boolean => grants.some(({ tag }) => tag !== '');

function environmentOf(grants: readonly OfTag[]): Record<string, string> {
  const [first] = grants;
  if (first === undefined) return {};
  const credentials = {
    default: grants.find(({ tag }) => tag === '')?.grant.credentials ?? null,
    aliases: Object.fromEntries(grants.flatMap(({ tag, grant }) => (tag === '' ? [] : [[tag, grant.credentials]]))),
  };
  return {
    ...(hasTags(grants) ? {} : first.grant.environment),
    // The declaration is added so that configurations need not declare the variable.
    [`TF_VAR_tfc_${first.cloud.name.toLowerCase()}_dynamic_credentials`]: asExpression(credentials),
  };
}

function loginsOf(grants: readonly OfTag[]): JobIdentity['logins'] {
  const logins = grants.flatMap(({ grant: { login } }) => (login === undefined ? [] : [login]));
  return hasTags(grants) ? logins.map((login) => ({ ...login, variable: null })) : logins;
}

/** JSON is a valid expression if template sequences in texts are escaped. */
const asExpression = (value: object): string => JSON.stringify(value).replaceAll(/[$%]\{/g, (one) => `${one[0]}${one}`);
