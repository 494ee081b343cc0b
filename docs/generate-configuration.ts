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
  const without = initial !== undefined ? `\`${initial}\`` : optional ? '' : 'required';
  const variable = variables.get(path);
  return `| \`${path}\` | ${description.replaceAll('|', '\\|')} | ${allowed} | ${without} | ${variable ? `\`${variable}\`` : ''} |`;
}

const addressRows = (blocks: readonly DeniedBlock[]): string =>
  blocks.map(({ block, what }) => `| \`${block}\` | ${what} |`).join('\n');

export function configurationPage(): string {
  return `# Configuration

Made from the schema by \`node docs/generate-configuration.ts\`; do not edit by hand.

\`lockkeeper serve --config FILE\` reads YAML. Over the file goes the environment, over both go flags: \`--set log.level=warn\`.
Paths are relative to the folder of the file. Unknown keys and bad values are refused, with the key, what was found and what is
allowed.

| Key | What it is | Allowed | Without it | Environment |
|---|---|---|---|---|
${rows(configSchema as unknown as SchemaNode, '', false).join('\n')}

## Addresses that are denied

Certificates and administrators name the addresses of OCSP responders and revocation lists, so not every address is connected to.
These are denied unless \`revocation.denied_addresses\` names others:

| Block | What is there |
|---|---|
${addressRows(DENIED_BLOCKS)}

These are denied always, the IPv4 ones in their forms of IPv6 too (\`::ffff:0:0/96\`, \`64:ff9b::/96\`):

| Address | What is there |
|---|---|
${addressRows(METADATA_ADDRESSES)}

What \`revocation.allowed_addresses\` names is connected to although it is denied:

- A **host name**, exactly, opens the addresses that it leads to, for requests to this name alone. Other names that lead to the same
  address stay denied, so nobody gains anything by having a name of theirs lead there.
- An **address or block** is open for every name that leads into it, those of others too.
- An address of the second table is opened by nothing but itself: no host name and no block that holds it.

A name is looked up once, each address is checked, and the connection goes to a checked address. Each redirect is checked anew.
Notifications and requests of run tasks go to addresses that users name, and keys of issuers of [pipelines](../guides/pipelines.md) come from such. Besides the blocks above these are closed to them, and plain \`http\` everywhere;
\`notifications.allowed_addresses\` opens what it names by the same rules, for plain \`http\` too:

| Block | What is there |
|---|---|
${addressRows(PRIVATE_BLOCKS)}

In the environment and after \`--set\`, commas stand between the entries; \`lockkeeper dev\` has \`--allow-revocation-address\`.

What has a bound without being a setting is in [limits.md](limits.md), with everything else that has one.
`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL('reference/configuration.md', import.meta.url), configurationPage());
}
