import { reportCases } from '../support/cases.ts';
import { goTest } from '../support/go-test.ts';
import { startServing } from '../support/serving.ts';

/** Tests of ours that drive go-tfe, against a server where each user may ask four times a second: it needs no less. */
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
