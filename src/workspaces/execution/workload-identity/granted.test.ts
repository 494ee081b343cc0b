import { describe, expect, test } from 'vitest';
import { granted, MAX_TOKENS, wantedBy } from './granted.ts';
import { FOLDER } from './job-identity.ts';
import { Incomplete } from './settings.ts';

const RUN = 'run-1';

/** Returns the engine's environment for these variables. Tokens are shown by their audience. */
function given(variables: Record<string, string>, phase: 'plan' | 'apply' = 'plan') {
  const wanted = wantedBy(new Map(Object.entries(variables)), phase);
  return granted(
    wanted.map((one) => ({ ...one, token: `<${one.audience}>` })),
    RUN,
  );
}
const refused = (variables: Record<string, string>) => {
  try {
    given(variables);
  } catch (error) {
    if (error instanceof Incomplete) return error.message;
    throw error;
  }
  return undefined;
};
const contentOf = ({ files }: ReturnType<typeof given>, name: string) =>
  files.find((file) => file.name === name)?.content.replaceAll(FOLDER, '/run/identity');
const credentialsOf = ({ environment }: ReturnType<typeof given>, cloud: string) =>
  JSON.parse(environment[`TF_VAR_tfc_${cloud}_dynamic_credentials`] ?? 'null');

describe('a token of its own', () => {
  test('is asked for by an audience, and by one for each tag', () => {
    expect(wantedBy(new Map([['OTHER', 'x']]), 'plan')).toEqual([]);
    const { environment, files, secrets } = given({
      TFC_WORKLOAD_IDENTITY_AUDIENCE: 'one',
      TFC_WORKLOAD_IDENTITY_AUDIENCE_SECOND_ONE: 'two',
      TFC_WORKLOAD_IDENTITY_AUDIENCE_TYPE: 'reserved',
      TFC_WORKLOAD_IDENTITY_AUDIENCE_EMPTY: '',
    });
    expect(environment).toEqual({
      TFC_WORKLOAD_IDENTITY_TOKEN: '<one>',
      TFC_WORKLOAD_IDENTITY_TOKEN_SECOND_ONE: '<two>',
    });
    expect([files, secrets]).toEqual([[], ['<one>', '<two>']]);
  });

  test('is one of fifty at most', () => {
    const variables = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`TFC_WORKLOAD_IDENTITY_AUDIENCE_${n}`, 'x']));
    expect(given(variables(MAX_TOKENS)).secrets).toHaveLength(MAX_TOKENS);
    expect(refused(variables(MAX_TOKENS + 1))).toBe('The workspace requests more than 50 identity tokens');
  });
});

describe('AWS', () => {
  const AWS = { TFC_AWS_PROVIDER_AUTH: 'true', TFC_AWS_RUN_ROLE_ARN: 'arn:run' };

  test('is entered by a role and a file', () => {
    const identity = given(AWS);
    expect(identity.environment).toMatchObject({
      AWS_ROLE_ARN: 'arn:run',
      AWS_WEB_IDENTITY_TOKEN_FILE: `${FOLDER}/aws.token`,
      AWS_ROLE_SESSION_NAME: RUN,
    });
    expect(contentOf(identity, 'aws.token')).toBe('<aws.workload.identity>');
    expect(credentialsOf(identity, 'aws')).toEqual({
      default: { shared_config_file: `${FOLDER}/aws.config` },
      aliases: {},
    });
  });

  test('is entered in each phase by the role for it', () => {
    const variables = { ...AWS, TFC_AWS_APPLY_ROLE_ARN: 'arn:apply', TFC_AWS_WORKLOAD_IDENTITY_AUDIENCE: 'mine' };
    expect(given(variables, 'plan').environment.AWS_ROLE_ARN).toBe('arn:run');
    expect(given(variables, 'apply').environment.AWS_ROLE_ARN).toBe('arn:apply');
    expect(given(variables).secrets).toEqual(['<mine>']);
  });

  test('is entered several times by tags, with defaults for all, and without an environment that would speak for all', () => {
    const identity = given({
      ...AWS,
      TFC_AWS_PROVIDER_AUTH_PROD: 'true',
      TFC_AWS_PLAN_ROLE_ARN_PROD: 'arn:prod',
      TFC_AWS_PROVIDER_AUTH_TEST_1: 'true',
      TFC_AWS_PROVIDER_AUTH_OFF: 'false',
      TFC_DEFAULT_AWS_RUN_ROLE_ARN: 'arn:default',
      TFC_DEFAULT_AWS_WORKLOAD_IDENTITY_AUDIENCE: 'all',
    });
    expect(Object.keys(identity.environment)).toEqual(['TF_VAR_tfc_aws_dynamic_credentials']);
    expect(credentialsOf(identity, 'aws')).toEqual({
      default: { shared_config_file: `${FOLDER}/aws.config` },
      aliases: {
        PROD: { shared_config_file: `${FOLDER}/aws-PROD.config` },
        TEST_1: { shared_config_file: `${FOLDER}/aws-TEST_1.config` },
      },
    });
    expect(contentOf(identity, 'aws-PROD.config')).toBe(
      '[default]\nrole_arn = arn:prod\nweb_identity_token_file = /run/identity/aws-PROD.token\nrole_session_name = run-1\n',
    );
    expect(contentOf(identity, 'aws-TEST_1.config')).toContain('role_arn = arn:default\n');
    expect(identity.secrets).toEqual(['<all>', '<all>', '<all>']);
  });

  test('needs a role, in one line', () => {
    expect(refused({ TFC_AWS_PROVIDER_AUTH: 'true' })).toBe(
      'TFC_AWS_PROVIDER_AUTH is set, and TFC_AWS_RUN_ROLE_ARN is missing: set it as an environment variable of the workspace',
    );
    expect(refused({ TFC_AWS_PROVIDER_AUTH_A: 'true' })).toContain('TFC_AWS_RUN_ROLE_ARN_A is missing');
    expect(refused({ ...AWS, TFC_AWS_RUN_ROLE_ARN: 'arn\ncredential_process = /bin/sh' })).toBe(
      'TFC_AWS_RUN_ROLE_ARN must be one line',
    );
  });
});

test('Azure is entered by a client and a token, in the environment or in files', () => {
  const identity = given({ TFC_AZURE_PROVIDER_AUTH: 'true', TFC_AZURE_RUN_CLIENT_ID: 'client' });
  expect(identity.environment).toMatchObject({
    ARM_USE_OIDC: 'true',
    ARM_CLIENT_ID: 'client',
    ARM_OIDC_TOKEN: '<api://AzureADTokenExchange>',
  });
  expect(credentialsOf(identity, 'azure').default).toEqual({
    client_id_file_path: `${FOLDER}/azure.client-id`,
    oidc_token_file_path: `${FOLDER}/azure.token`,
  });
  expect(contentOf(identity, 'azure.client-id')).toBe('client');
});

describe('GCP', () => {
  const GCP = { TFC_GCP_PROVIDER_AUTH: 'true', TFC_GCP_RUN_SERVICE_ACCOUNT_EMAIL: 'a@p.iam.gserviceaccount.com' };
  const NAME = 'projects/1/locations/global/workloadIdentityPools/pool/providers/provider';

  test.each([
    { TFC_GCP_WORKLOAD_PROVIDER_NAME: NAME, TFC_GCP_PROJECT_NUMBER: '2' },
    { TFC_GCP_PROJECT_NUMBER: '1', TFC_GCP_WORKLOAD_POOL_ID: 'pool', TFC_GCP_WORKLOAD_PROVIDER_ID: 'provider' },
  ])('is entered by a file that points at the token: %j', (provider) => {
    const identity = given({ ...GCP, ...(provider as object as Record<string, string>) });
    expect(identity.environment.GOOGLE_CREDENTIALS).toBe(`${FOLDER}/gcp.json`);
    expect(JSON.parse(contentOf(identity, 'gcp.json') ?? '')).toEqual({
      type: 'external_account',
      audience: `//iam.googleapis.com/${NAME}`,
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: 'https://sts.googleapis.com/v1/token',
      service_account_impersonation_url:
        'https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a%40p.iam.gserviceaccount.com:generateAccessToken',
      credential_source: { file: '/run/identity/gcp.token', format: { type: 'text' } },
    });
    expect(contentOf(identity, 'gcp.token')).toBe(`<//iam.googleapis.com/${NAME}>`);
  });

  test('needs a provider, and an account', () => {
    expect(refused(GCP)).toContain('TFC_GCP_PROJECT_NUMBER is missing');
    expect(refused({ TFC_GCP_PROVIDER_AUTH: 'true', TFC_GCP_WORKLOAD_PROVIDER_NAME: NAME })).toContain(
      'TFC_GCP_RUN_SERVICE_ACCOUNT_EMAIL is missing',
    );
  });
});

describe('Vault', () => {
  const VAULT = {
    TFC_VAULT_PROVIDER_AUTH: 'true',
    TFC_VAULT_ADDR: 'https://vault.example.com:8200/',
    TFC_VAULT_RUN_ROLE: 'tfc',
  };
  const PEM = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n';

  test('is entered by the agent, who gives its token to the engine', () => {
    const identity = given({
      ...VAULT,
      TFC_VAULT_NAMESPACE: 'admin/team',
      TFC_VAULT_AUTH_PATH: '/runs/jwt/',
      TFC_VAULT_ENCODED_CACERT: Buffer.from(PEM).toString('base64'),
    });
    expect(identity.logins).toEqual([
      {
        address: 'https://vault.example.com:8200',
        namespace: 'admin/team',
        path: 'runs/jwt',
        role: 'tfc',
        token: '<vault.workload.identity>',
        authorities: PEM,
        file: 'vault.token',
        variable: 'VAULT_TOKEN',
      },
    ]);
    expect(identity.environment).toMatchObject({
      VAULT_ADDR: 'https://vault.example.com:8200',
      VAULT_NAMESPACE: 'admin/team',
      VAULT_CACERT: `${FOLDER}/vault.pem`,
      TERRAFORM_VAULT_SKIP_CHILD_TOKEN: 'true',
    });
    expect(contentOf(identity, 'vault.pem')).toBe(PEM);
  });

  test('is entered several times, each with a file of its own', () => {
    const identity = given({
      ...VAULT,
      TFC_VAULT_PROVIDER_AUTH_B: 'true',
      TFC_VAULT_ADDR_B: 'https://b.example.com',
      TFC_VAULT_RUN_ROLE_B: 'b',
    });
    expect(identity.logins.map(({ address, file, variable }) => [address, file, variable])).toEqual([
      ['https://vault.example.com:8200', 'vault.token', null],
      ['https://b.example.com', 'vault-B.token', null],
    ]);
    expect(identity.environment.VAULT_ADDR).toBeUndefined();
    expect(credentialsOf(identity, 'vault').aliases.B).toEqual({
      token_filename: `${FOLDER}/vault-B.token`,
      address: 'https://b.example.com',
      namespace: '',
      ca_cert_file: '',
    });
  });

  test('without a default has none', () => {
    const identity = given({
      TFC_VAULT_PROVIDER_AUTH_B: 'true',
      TFC_VAULT_ADDR_B: 'https://b.example.com',
      TFC_VAULT_RUN_ROLE_B: 'b',
    });
    expect(credentialsOf(identity, 'vault').default).toBeNull();
  });

  test('needs an address that is one, and a certificate that is one', () => {
    for (const address of ['vault.example.com', 'file:///etc/passwd', 'https://u:p@vault.example.com', 'https://a?b'])
      expect(refused({ ...VAULT, TFC_VAULT_ADDR: address })).toContain('TFC_VAULT_ADDR must be a URL');
    expect(refused({ ...VAULT, TFC_VAULT_ENCODED_CACERT: 'x' })).toContain('a base64-encoded PEM certificate');
  });

  test('cannot have an expression in what it is called', () => {
    const namespace = '$' + '{path.module}%{if true}';
    const { environment } = given({ ...VAULT, TFC_VAULT_NAMESPACE: namespace });
    expect(environment.TF_VAR_tfc_vault_dynamic_credentials).toContain('$$' + '{path.module}%%{if true}');
  });
});

test('Kubernetes is entered by the token itself, for the audience that the cluster has', () => {
  const identity = given({
    TFC_KUBERNETES_PROVIDER_AUTH: 'true',
    TFC_KUBERNETES_WORKLOAD_IDENTITY_AUDIENCE: 'kubernetes',
  });
  expect(identity.environment.KUBE_TOKEN).toBe('<kubernetes>');
  expect(credentialsOf(identity, 'kubernetes').default).toEqual({ token_path: `${FOLDER}/kubernetes.token` });
  expect(refused({ TFC_KUBERNETES_PROVIDER_AUTH: 'true' })).toContain('TFC_KUBERNETES_WORKLOAD_IDENTITY_AUDIENCE is');
});

test('HCP is entered by a file of credentials that points at the token', () => {
  const name = 'iam/project/p/service-principal/s/workload-identity-provider/w';
  const identity = given({ TFC_HCP_PROVIDER_AUTH: 'true', TFC_HCP_RUN_PROVIDER_RESOURCE_NAME: name });
  expect(identity.environment.HCP_CRED_FILE).toBe(`${FOLDER}/hcp.json`);
  expect(JSON.parse(contentOf(identity, 'hcp.json') ?? '')).toEqual({
    scheme: 'workload',
    workload: { provider_resource_name: name, file: { path: '/run/identity/hcp.token' } },
  });
  expect(contentOf(identity, 'hcp.token')).toBe(`<${name}>`);
});
