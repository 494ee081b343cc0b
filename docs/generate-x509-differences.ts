/**
 * Writes docs/reference/x509-differences.md: `node docs/generate-x509-differences.ts`. Needs the packages with the test files, which
 * `npm run test:clients` installs.
 */
import { writeFileSync } from 'node:fs';
import { measure } from '../test/clients/x509-corpora/measure.ts';
import { pageOf } from '../test/clients/x509-corpora/page.ts';

writeFileSync(new URL('reference/x509-differences.md', import.meta.url), pageOf(await measure()));
