import { generateKeyPairSync } from 'node:crypto';
import { sql } from '../../../../src/storage/index.ts';
import type { TestOrganization } from './organization.ts';

const insertApp = sql<{ id: string; organization: string; secrets: Uint8Array }>(
  `INSERT INTO github_app (id, organization_id, http_url, api_url, app_id, client_id, slug, name, secrets, created_at)
   SELECT :id, id, 'https://github.example.com', 'https://10.0.0.1', '11', 'Iv1.11', 'lockkeeper', 'Lockkeeper',
     :secrets, 0
   FROM organization WHERE name = :organization`,
);
const insertInstallation = sql<{ id: string; appId: string; number: number; organization: string }>(
  `INSERT INTO github_app_installation (id, organization_id, github_app_id, installation_id, account, account_type,
     icon_url, installation_url, status, created_at)
   SELECT :id, id, :appId, :number, 'acme', 'Organization', 'https://github.example.com/acme.png',
     'https://github.example.com/settings/installations/1', 'ok', 0
   FROM organization WHERE name = :organization`,
);
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
let numbers = 0;

/** Stores a GitHub App with an installation, as its creation at GitHub does. Returns the id of the installation. */
export async function newInstallation({ database, keyring, name }: TestOrganization): Promise<string> {
  const number = ++numbers;
  const [appId, id] = [`gha-${number}`, `ghain-${number}`];
  const secrets = JSON.stringify({ clientSecret: 'secret', webhookSecret: null, privateKey: PEM });
  const sealed = keyring?.encrypt(Buffer.from(secrets), `github-app/${appId}`) ?? new Uint8Array();
  await database?.run(insertApp, { id: appId, organization: name, secrets: sealed });
  await database?.run(insertInstallation, { id, appId, number, organization: name });
  return id;
}
