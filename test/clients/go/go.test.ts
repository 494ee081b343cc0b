import { type Case, reportCases } from '../support/cases.ts';
import { goTest } from '../support/go-test.ts';
import { startServing } from '../support/serving.ts';

/**
 * Go tests that drive the API client of OpenBao. They share one server, and a second one with a rate limit of two
 * requests a second.
 */
async function runGo(): Promise<Case[]> {
  const serving = await startServing();
  const limited = await startServing(undefined, 'rate_limits: { access: 2 }\n');
  try {
    return await goTest(import.meta.dirname, ['./...'], {
      BAO_ADDR: serving.address,
      BAO_TOKEN: serving.rootToken,
      USER_TOKEN: serving.userToken,
      BAO_CACERT: serving.caFile,
      CLIENT_CA: serving.clientCaFile,
      CLIENT_CERTIFICATE: serving.clientCertificateFile,
      CLIENT_KEY: serving.clientKeyFile,
      LIMITED_ADDR: limited.address,
      LIMITED_CACERT: limited.caFile,
      LIMITED_TOKEN: limited.rootToken,
    });
  } finally {
    await Promise.all([serving.stop(), limited.stop()]);
  }
}

reportCases('openbao/api', await runGo());
