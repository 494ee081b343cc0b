import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

/** Names that clients have in their source. */
export const NAMES = ['api.github.com', 'github.com'] as const;

const address = process.env.LOCKKEEPER_TEST_GITHUB;
const { lookup } = dns.promises;

// Loaded before the program of the server. The test itself only needs the names.
if (address !== undefined) {
  const led = (name: string, options: dns.LookupAllOptions) =>
    NAMES.some((one) => one === name) ? Promise.resolve([{ address, family: 4 }]) : lookup(name, options);
  Object.assign(dns.promises, { lookup: led });
  syncBuiltinESMExports();
}
