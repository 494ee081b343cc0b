import { textKind } from '../../../../lib/pem/text-kind.ts';
import { FOLDER } from '../job-identity.ts';
import { Incomplete, type Settings } from '../settings.ts';
import { type Cloud, fileOf } from './cloud.ts';

/** Vault: the agent exchanges the token for a Vault token and passes it to the engine. */
export const vault: Cloud = {
  name: 'VAULT',
  audience: (settings) => settings.get('WORKLOAD_IDENTITY_AUDIENCE') ?? 'vault.workload.identity',
  grant(settings, token) {
    const address = addressOf(settings);
    const role = settings.needInPhase('ROLE');
    const namespace = settings.get('NAMESPACE') ?? '';
    const path = (settings.get('AUTH_PATH') ?? 'jwt').replaceAll(/^\/+|\/+$/g, '');
    const authorities = authoritiesOf(settings);
    const file = fileOf('vault', settings, 'token');
    const files = authorities === null ? [] : [{ name: fileOf('vault', settings, 'pem'), content: authorities }];
    const caPath = files.map(({ name }) => `${FOLDER}/${name}`).join('');
    return {
      environment: {
        VAULT_ADDR: address,
        ...(namespace && { VAULT_NAMESPACE: namespace }),
        ...(caPath && { VAULT_CACERT: caPath }),
        // The agent manages the token, so the provider must not create a child token.
        TERRAFORM_VAULT_SKIP_CHILD_TOKEN: 'true',
      },
      files,
      credentials: { token_filename: `${FOLDER}/${file}`, address, namespace, ca_cert_file: caPath },
      login: { address, namespace, path, role, token, authorities, file, variable: 'VAULT_TOKEN' },
    };
  },
};

function addressOf(settings: Settings): string {
  const address = settings.need('ADDR').replace(/\/+$/, '');
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new Incomplete('TFC_VAULT_ADDR must be a URL such as https://vault.example.com:8200');
  }
  return address;
}

function authoritiesOf(settings: Settings): string | null {
  const encoded = settings.get('ENCODED_CACERT');
  if (encoded === undefined) return null;
  const pem = Buffer.from(encoded, 'base64').toString();
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) {
    const kind = textKind(pem, 'certificate');
    throw new Incomplete(`TFC_VAULT_ENCODED_CACERT must be a base64-encoded PEM certificate; it is ${kind}`);
  }
  return pem;
}
