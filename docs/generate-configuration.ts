/** Writes docs/reference/configuration.md from the schema: `node docs/generate-configuration.ts`. */
import { writeFileSync } from 'node:fs';
import { configSchema } from '../src/config/config-schema.ts';
import { ENVIRONMENT } from '../src/config/config-sources.ts';
import {
  DENIED_BLOCKS,
  type DeniedBlock,
  METADATA_ADDRESSES,
  PRIVATE_BLOCKS,
} from '../src/lib/address/denied-addresses.ts';

interface SchemaNode {
  readonly description?: string;
  readonly allowed?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
}

const variables = new Map(Object.entries(ENVIRONMENT).map(([name, path]) => [path, name]));

function rows(node: SchemaNode, path: string, optional: boolean): string[] {
  if (node.allowed) return [row(node, path, optional)];
  if (node.items) return rows(node.items, `${path}[]`, optional);
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
    rows(child, path ? `${path}.${name}` : name, optional || !node.required?.includes(name)),
  );
}

function row(
  { description = '', allowed = '', default: initial }: SchemaNode,
  path: string,
  optional: boolean,
): string {
  const shown = String(initial ?? '');
  const without = shown !== '' ? `\`${shown}\`` : optional ? '' : 'required';
  const variable = variables.get(path);
  return `| \`${path}\` | ${description.replaceAll('|', '\\|')} | ${allowed} | ${without} | ${variable ? `\`${variable}\`` : ''} |`;
}

const addressRows = (blocks: readonly DeniedBlock[]): string =>
  blocks.map(({ block, what }) => `| \`${block}\` | ${what} |`).join('\n');

export function configurationPage(): string {
  return `# Configuration

Generated from the schema by \`node docs/generate-configuration.ts\`; do not edit by hand.

\`lockkeeper serve --config FILE\` reads a YAML file. Command-line flags (\`--set log.level=warn\`) override environment variables, which
override the file. Paths are relative to the folder of the file. The server refuses unknown keys and invalid values; the error names the
key, the value and the allowed values.

| Key | Meaning | Allowed | Default | Environment |
|---|---|---|---|---|
${rows(configSchema as unknown as SchemaNode, '', false).join('\n')}

## Denied addresses

URLs of OCSP responders and CRLs come from certificates and administrators, so the server does not connect to all addresses.
It denies these by default; \`revocation.denied_addresses\` replaces the list:

| Block | Purpose |
|---|---|
${addressRows(DENIED_BLOCKS)}

It always denies these, IPv4 addresses also in IPv6 form (\`::ffff:0:0/96\`, \`64:ff9b::/96\`):

| Address | Purpose |
|---|---|
${addressRows(METADATA_ADDRESSES)}

\`revocation.allowed_addresses\` allows exceptions:

- A **host name** allows its addresses for requests to exactly this name. Other names with the same address stay denied, so an attacker
  cannot use a name of their own.
- An **IP address or block** is allowed for every name that resolves to it.
- An address of the second table must be listed itself. A host name or a block does not allow it.

The server resolves a name once, checks each address, and connects to a checked address. It checks each redirect again.

Notifications, run task requests and requests for issuer keys of [pipelines](../guides/pipelines.md) use URLs from users. For them, plain
\`http\` and these blocks are denied as well. \`notifications.allowed_addresses\` allows exceptions by the same rules, also for plain \`http\`:

| Block | Purpose |
|---|---|
${addressRows(PRIVATE_BLOCKS)}

In environment variables and after \`--set\`, separate entries with commas. \`lockkeeper dev\` has \`--allow-revocation-address\`.

[Limits](limits.md) lists all limits, including those without a setting.
`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL('reference/configuration.md', import.meta.url), configurationPage());
}
