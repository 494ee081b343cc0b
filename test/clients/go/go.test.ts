import { type Case, reportCases } from '../support/cases.ts';
import { goTest } from '../support/go-test.ts';
import { startServing } from '../support/serving.ts';

/**
 * Tests in Go that drive the API client of OpenBao, and that of the workspace API where its own tests want what a hosted service has; they
 * share one server, and another one where callers may ask twice a second.
 */
async function runGo(): Promise<Case[]> {
  const serving = await startServing();
  const limited = await startServing(undefined, 'rate_limits: { access: 2 }\n');
  try {
    return await goTest(import.meta.dirname, ['./...'], {
      BAO_ADDR: serving.address,
      BAO_TOKEN: serving.rootToken,
      BAO_CACERT: serving.caFile,
      CLIENT_CA: serving.clientCaFile,
      CLIENT_CERTIFICATE: serving.clientCertificateFile,
      CLIENT_KEY: serving.clientKeyFile,
      LIMITED_ADDR: limited.address,
      LIMITED_CACERT: limited.caFile,
      LIMITED_TOKEN: limited.rootToken,
      KEEPER_TOKEN: serving.userToken,
      SSL_CERT_FILE: serving.caFile,
    });
  } finally {
    await Promise.all([serving.stop(), limited.stop()]);
  }
}

reportCases('clients in Go', await runGo());
