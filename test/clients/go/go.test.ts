import { type Case, reportCases } from '../support/cases.ts';
import { goTest } from '../support/go-test.ts';
import { startServing } from '../support/serving.ts';

/** Tests in Go that drive the API client of OpenBao; they share one server. */
async function runGo(): Promise<Case[]> {
  const serving = await startServing();
  try {
    return await goTest(import.meta.dirname, ['./...'], {
      BAO_ADDR: serving.address,
      BAO_TOKEN: serving.rootToken,
      BAO_CACERT: serving.caFile,
      CLIENT_CA: serving.clientCaFile,
      CLIENT_CERTIFICATE: serving.clientCertificateFile,
      CLIENT_KEY: serving.clientKeyFile,
    });
  } finally {
    await serving.stop();
  }
}

reportCases('openbao/api', await runGo());
