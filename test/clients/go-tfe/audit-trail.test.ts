import { reportCases } from '../support/cases.ts';
import { goTest } from '../support/go-test.ts';
import { startServing } from '../support/serving.ts';

/**
 * Our own test that drives go-tfe: go-tfe's test needs an organization that exists before it subscribes to an audit
 * trail.
 */
const serving = await startServing();
try {
  const env = { TFE_ADDRESS: serving.address, TFE_TOKEN: serving.userToken, SSL_CERT_FILE: serving.caFile };
  reportCases('go-tfe, the audit trail', await goTest(import.meta.dirname, ['-run', '^TestWhoWatches', './...'], env));
} finally {
  await serving.stop();
}
