import { reportCases } from '../support/cases.ts';
import { goTest } from '../support/go-test.ts';
import { startServing } from '../support/serving.ts';

/** A test of ours that drives go-tfe: its own wants an organization that was founded before it had bought an audit trail. */
const serving = await startServing();
try {
  const env = { TFE_ADDRESS: serving.address, TFE_TOKEN: serving.userToken, SSL_CERT_FILE: serving.caFile };
  reportCases('go-tfe, the audit trail', await goTest(import.meta.dirname, ['-run', '^TestWhoWatches', './...'], env));
} finally {
  await serving.stop();
}
