import { reportCases } from '../support/cases.ts';
import { goTest } from '../support/go-test.ts';
import { startServing } from '../support/serving.ts';

/**
 * Our own tests that drive go-tfe, against a server with a rate limit of four requests a second for each user: go-tfe
 * needs at least four.
 */
const serving = await startServing(undefined, 'rate_limits: { workspaces: 4 }\n');
try {
  const env = { TFE_ADDRESS: serving.address, TFE_TOKEN: serving.userToken, SSL_CERT_FILE: serving.caFile };
  reportCases(
    'go-tfe, where one may ask so often',
    await goTest(import.meta.dirname, ['-run', '^TestWhoAsks', './...'], env),
  );
} finally {
  await serving.stop();
}
